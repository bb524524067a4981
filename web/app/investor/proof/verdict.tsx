import { formatUsd } from '@tallystick/contract/money';
import { CircleAlert, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted, whenOf } from '../../domain/dates.ts';
import { Button } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { GoOnButton, KeySteps, Keys } from './other-key.tsx';
import type { ShownProof } from './shown.ts';
import { Told } from './told.tsx';
import { alarmOf, reasonsOf, sumOf } from './words.ts';

const kinds = ['In your wallet', 'Invested', 'Profit so far', 'Being withdrawn'];

/** What the five steps come to. */
export function Verdict({ shown }: { shown: ShownProof | undefined }) {
  if (!shown) {
    return (
      <Ink title="Your browser is recomputing the proof" isBusy>
        <span className="flex items-center gap-2">
          <Spinner /> It reads your entries, the newest statement and the log.
        </span>
      </Ink>
    );
  }
  const { statement, mine, newer } = shown;
  if (!statement) {
    return (
      <Ink title="No statement of the books yet">
        The first one is made within a day. Until then your own entries are checked, and the log.
      </Ink>
    );
  }
  const since = newer > 0 && (
    <p className="mt-1">
      {`${counted(newer, 'entry is', 'entries are')} younger than that. The next statement, made within a day, tells of ${newer === 1 ? 'it' : 'them'}.`}
    </p>
  );
  const when = `That is how things stood on ${whenOf(statement.time)}: statement ${statement.number}.`;
  if (!mine) {
    return (
      <Ink title="Nothing of yours is in the newest statement">
        {when}
        {since}
      </Ink>
    );
  }
  return (
    <Ink
      title={`Your ${formatUsd(sumOf(mine))} is part of the ${formatUsd(sumOf(statement.owed))} owed`}
      below={
        <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-3 border-t border-ink-line pt-4 tablet:grid-cols-4">
          {kinds.map((kind, at) => (
            <div key={kind}>
              <dt className="text-caption text-on-ink-2">{kind}</dt>
              <dd className="font-semibold">{formatUsd(mine[at] ?? 0n)}</dd>
            </div>
          ))}
        </dl>
      }
    >
      {when}
      {since}
    </Ink>
  );
}

interface InkProps {
  title: string;
  isBusy?: boolean;
  below?: ReactNode;
  children: ReactNode;
}

function Ink({ title, isBusy = false, below, children }: InkProps) {
  return (
    <section
      aria-label="What it comes to"
      aria-live="polite"
      aria-busy={isBusy}
      className="on-ink rounded-card bg-ink p-5 text-on-ink tabular-nums tablet:px-7 tablet:py-6"
    >
      <h2 className="text-panel text-balance">{title}</h2>
      <div className="mt-1.5 text-control text-on-ink-2">{children}</div>
      {below}
    </section>
  );
}

interface AlarmProps {
  shown: ShownProof;
  onSave: () => void;
  /** The reader has found out that the new key is right. */
  onGoOn: () => void;
}

/** As loud as money that is missing: what is broken, and what to do about it. */
export function Alarm({ shown, onSave, onGoOn }: AlarmProps) {
  const { otherKey } = shown;
  return (
    <Card
      role="alert"
      aria-label="The proof is broken"
      className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3.5 border-debit! p-5 outline-2 outline-debit tablet:p-7"
    >
      <CircleAlert className="size-7 text-debit" strokeWidth={2} aria-hidden="true" />
      <div className="min-w-0">
        <h2 className="text-panel text-balance text-debit">{alarmOf(shown)}</h2>
        <ul className="mt-1.5 grid gap-1 text-control font-semibold wrap-anywhere">
          {reasonsOf(shown).map((text) => (
            <li key={text}>
              <Told text={text} />
            </li>
          ))}
        </ul>
        {otherKey && <Keys {...otherKey} />}
        <p className="mt-4 font-semibold">What to do</p>
        <ol className="mt-1 grid list-decimal gap-1 pl-5 text-control text-2">
          <li>
            Save the evidence now. The file has your entries and every signed state of the log that this
            browser knows. Nobody can take it back.
          </li>
          <li>Do not clear the data of this browser. It remembers what the books said before.</li>
          {otherKey?.isContinued ? (
            <KeySteps />
          ) : (
            <li>
              <TextLink to="/contactus">Contact support</TextLink>, and show the file to somebody who has
              nothing to do with us. Anyone can check it with{' '}
              <a className="textlink" href="/verify.html">
                /verify.html
              </a>
              .
            </li>
          )}
        </ol>
        <div className="mt-5 flex flex-wrap gap-2.5">
          <Button look="primary" onClick={onSave}>
            <Download className="size-4" aria-hidden="true" />
            Save the evidence
          </Button>
          {otherKey?.isContinued && <GoOnButton onGoOn={onGoOn} />}
        </div>
      </div>
    </Card>
  );
}
