import { type PaperKind, type PaperSpan, paperKinds } from '@tallystick/contract/papers';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { isSessionOver } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';
import { Field, FieldError } from '../../ui/forms/field.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Segments, SelectFilter } from '../../ui/lists/filter.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { counted, dayOf } from '../dates.ts';
import { FinePrint } from '../forms/form-notes.tsx';
import { useSaving } from '../save-file.ts';
import { type Days, daysProblem, monthsOf } from './periods.ts';

/** Whose statements: one's own, or an investor's that an operator looks at. */
export interface PaperSource {
  /** What they are kept under. */
  key: string;
  span(days: Partial<Days>): Promise<PaperSpan>;
  file(wanted: Days & { format: PaperKind }): Promise<{ file: Blob; name: string }>;
}

/** Quiet, and on a phone without words. What it opens stands elsewhere: the button may go when the screen is turned. */
export function StatementsButton({ onOpen, isIcon = false }: { onOpen: () => void; isIcon?: boolean }) {
  return (
    <Button
      look="quiet"
      className={isIcon ? 'min-w-11 px-0! text-2 hover:bg-surface hover:text-1' : ''}
      onClick={onOpen}
    >
      <FileText className={isIcon ? 'size-5' : 'size-4'} strokeWidth={isIcon ? 1.75 : 2} aria-hidden="true" />
      <span className={isIcon ? 'sr-only' : ''}>Statements</span>
    </Button>
  );
}

function useSpan(source: PaperSource, days: Partial<Days>, isAsked: boolean) {
  return useQuery({
    queryKey: ['papers', source.key, days],
    queryFn: async () => {
      try {
        return await source.span(days);
      } catch (error) {
        if (!isSessionOver(error)) logFailure('Error fetching the days of statements:', error);
        throw error;
      }
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function StatementsModal({ source, onClose }: { source: PaperSource; onClose: () => void }) {
  const { data, isError, refetch } = useSpan(source, {}, true);
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>Statements</ModalHead>
      <ModalBody>
        {data && <Wish source={source} span={data} />}
        {!data && isError && (
          <Failed onRetry={refetch}>The days could not be fetched. Nothing about them has changed.</Failed>
        )}
        {!data && !isError && (
          <div aria-busy="true" className="grid gap-4.5">
            {['period', 'format', 'button'].map((part) => (
              <Skeleton key={part} className="h-11 w-full" />
            ))}
          </div>
        )}
      </ModalBody>
    </Modal>
  );
}

const formats = paperKinds.map((value) => ({ value, name: value.toUpperCase() }));

function Wish({ source, span }: { source: PaperSource; span: PaperSpan }) {
  const months = monthsOf(span);
  const [newest] = months;
  const [chosen, setChosen] = useState(newest?.from ?? 'days');
  const [days, setDays] = useState<Days>({ from: newest?.from ?? '', to: span.until });
  const [format, setFormat] = useState<PaperKind>('pdf');
  const wanted = months.find(({ from }) => from === chosen) ?? days;
  const problem = daysProblem(wanted, span.until);
  const { busy, refusal, saved, save } = useSaving('Error fetching a statement:');

  if (!newest) {
    return (
      <QuietNotice>
        A statement is about days that are over, in UTC. The first one can be made tomorrow.
      </QuietNotice>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) void save(() => source.file({ from: wanted.from, to: wanted.to, format }));
  };
  return (
    <form noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <Labelled name="Period">
        <SelectFilter
          label="Period"
          choices={[
            ...months.map(({ from, name }) => ({ value: from, name })),
            { value: 'days', name: 'Days that I choose' },
          ]}
          value={chosen}
          onChoose={setChosen}
        />
      </Labelled>
      {chosen === 'days' && <DayFields days={days} until={span.until} onChange={setDays} />}
      <Labelled name="Format">
        <Segments label="Format" choices={formats} value={format} onChoose={setFormat} className="w-full" />
      </Labelled>
      <Told source={source} days={wanted} problem={problem} />
      {refusal && <ErrorNotice title={refusal} />}
      {saved && (
        <QuietNotice role="status">
          <b className="font-semibold wrap-anywhere text-1">{saved}</b> was handed to your browser to save.
        </QuietNotice>
      )}
      <SubmitButton busy={busy} busyLabel="Making the file">
        Download
      </SubmitButton>
      <FinePrint>
        Signed. Whether a file is still as it was made is shown by{' '}
        <a className="textlink" href="/verify.html">
          /verify.html
        </a>
        , offline too, with{' '}
        <a className="textlink" href="/log/vkey">
          our key
        </a>
        .
      </FinePrint>
    </form>
  );
}

/** The pieces name themselves for those who do not see; this is for those who do. */
function Labelled({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <p aria-hidden="true" className="text-label font-label">
        {name}
      </p>
      {children}
    </div>
  );
}

interface DayFieldsProps {
  days: Days;
  until: string;
  onChange: (days: Days) => void;
}

function DayFields({ days, until, onChange }: DayFieldsProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-2.5">
      <legend className="sr-only">Days</legend>
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          type="date"
          label={end === 'from' ? 'First day' : 'Last day'}
          value={days[end]}
          max={until}
          onChange={(event) => onChange({ ...days, [end]: event.currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}

/** What the statement will have in it, before it is made. */
function Told({ source, days, problem }: { source: PaperSource; days: Days; problem: string | null }) {
  const id = useId();
  const { data, isPlaceholderData } = useSpan(source, { from: days.from, to: days.to }, problem === null);
  const counts =
    data?.entries === 0
      ? 'No entries in this period. The statement still says what was owed.'
      : `${counted(data?.entries ?? 0, 'entry', 'entries')} of the three accounts (wallet, invested, being withdrawn), with what is owed at the end.`;
  const isKnown = data && !isPlaceholderData;
  return (
    <div id={id} aria-live="polite" className="min-h-10 text-label text-2 tabular-nums">
      {problem ? (
        <FieldError id={`${id}-problem`}>{problem}</FieldError>
      ) : (
        <p>
          {`${dayOf(days.from)} to ${dayOf(days.to)}, whole days in UTC.`}
          {isKnown && <span className="block">{counts}</span>}
        </p>
      )}
    </div>
  );
}
