import type { AuditRow } from '@tallystick/contract/operator/audit';
import { ChevronDown } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { ConsoleTable } from '../lists/console-table.tsx';
import { actorWords, detailsOf, investorOf, subjectWords, whatWords } from './wording.ts';

const columns: readonly Column[] = [
  { name: 'Time', className: 'w-[14%]' },
  { name: 'Who', className: 'w-[20%]' },
  { name: 'What', className: 'w-[28%]' },
  { name: 'About', className: 'w-[20%]' },
  { name: 'Address', gives: 'tight' },
  { name: 'Details', isNumber: true },
];

export function AuditTable({ entries }: { entries: readonly AuditRow[] | undefined }) {
  return (
    <ConsoleTable caption="Acts, newest first" columns={columns}>
      {entries?.map((entry) => (
        <AuditTableRow key={entry._id} entry={entry} />
      ))}
    </ConsoleTable>
  );
}

/** What an entry shows, and the button that opens its details, where it has any. */
function useEntry(entry: AuditRow) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const details = detailsOf(entry);
  const toggle = details.length > 0 && (
    <Toggle id={id} isOpen={isOpen} entry={entry} onToggle={() => setOpen(!isOpen)} />
  );
  return { id, isOpen, actor: actorWords(entry), details, toggle };
}

function AuditTableRow({ entry }: { entry: AuditRow }) {
  const { id, isOpen, actor, details, toggle } = useEntry(entry);
  return (
    <Fragment>
      <Row className={`border-line hover:bg-sunken ${isOpen ? '' : 'not-last:border-b'}`}>
        <Cell className="whitespace-nowrap">
          {dayOf(entry.at)}
          <Small>{secondsOf(entry.at)}</Small>
        </Cell>
        <Cell className="py-2 wrap-anywhere">
          {actor.name}
          {actor.kind && <Small>{actor.kind}</Small>}
          {entry.address && <Small className={`font-mono ${takesOver.tight}`}>{entry.address}</Small>}
        </Cell>
        <Cell isHead>
          <b className="font-semibold">{whatWords(entry)}</b>
        </Cell>
        <Cell className="wrap-anywhere">
          <Subject entry={entry} />
        </Cell>
        <Cell gives="tight" className="font-mono text-label text-3">
          {entry.address}
        </Cell>
        <Cell className="text-right">{toggle}</Cell>
      </Row>
      {isOpen && (
        <Row id={id} className="border-line not-last:border-b">
          <td colSpan={columns.length} className="h-auto! px-6 pb-4">
            <Details details={details} />
          </td>
        </Row>
      )}
    </Fragment>
  );
}

export function AuditBlocks({ entries }: { entries: readonly AuditRow[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <AuditBlock key={entry._id} entry={entry} />
      ))}
    </ul>
  );
}

function AuditBlock({ entry }: { entry: AuditRow }) {
  const { id, isOpen, actor, details, toggle } = useEntry(entry);
  return (
    <li className="border-line px-5 py-3 text-control/5 tabular-nums not-first:border-t">
      <div className="flex items-start justify-between gap-3">
        <b className="font-semibold">{whatWords(entry)}</b>
        {toggle && <span className="-my-3 -mr-2.5">{toggle}</span>}
      </div>
      <p className="mt-0.5 text-label text-2 wrap-anywhere">
        By {actor.kind ? `${actor.name}, ${actor.kind.toLowerCase()}` : inSentence(actor.name)}
        {entry.subjectid && (
          <>
            , about <Subject entry={entry} />
          </>
        )}
      </p>
      <Small className="mt-0.5">
        {dayOf(entry.at)}, {secondsOf(entry.at)}
        {entry.address && <span className="font-mono"> {entry.address}</span>}
      </Small>
      {isOpen && (
        <div id={id} className="mt-3">
          <Details details={details} />
        </div>
      )}
    </li>
  );
}

/** Who has no name is told by a kind, which begins a sentence elsewhere: `Somebody not signed in`. */
const inSentence = (kind: string) => kind.charAt(0).toLowerCase() + kind.slice(1);

/** In a log the second counts. */
function secondsOf(iso: string): string {
  return timeOf(iso).replace(' UTC', `:${iso.slice(17, 19)} UTC`);
}

function Subject({ entry }: { entry: AuditRow }) {
  const investor = investorOf(entry);
  const name = subjectWords(entry);
  if (!name) return null;
  if (!investor) return name;
  return <TextLink to={`/operator/investors/${investor}`}>{entry.subjectname ?? 'Account'}</TextLink>;
}

interface ToggleProps {
  id: string;
  isOpen: boolean;
  entry: AuditRow;
  onToggle: () => void;
}

function Toggle({ id, isOpen, entry, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      aria-label={`Details of ${whatWords(entry)}`}
      onClick={onToggle}
      className="grid size-11 place-items-center rounded-control text-3 hover:bg-accent-tint hover:text-1 tablet:ml-auto"
    >
      <ChevronDown
        className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden="true"
      />
    </button>
  );
}

function Details({ details }: { details: readonly { name: string; value: string }[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-1 rounded-code bg-sunken px-4 py-3 text-label inset-ring inset-ring-line tablet:grid-cols-[minmax(0,200px)_minmax(0,1fr)]">
      {details.map(({ name, value }) => (
        <Fragment key={name}>
          <dt className="text-3">{name}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap max-tablet:mb-1.5">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
