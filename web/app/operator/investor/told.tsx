import { dayOf, timeOf } from '../../domain/dates.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { type InvestorAnswer, lettersSentence } from './wording.ts';

/** What this investor was last told, and which letters they do without: for whoever asks why none came. */
export function Told({ data: { lettersoff, told } }: { data: InvestorAnswer }) {
  return (
    <Card aria-label="Told" className="overflow-hidden tabular-nums">
      <div className="border-b border-line px-5 py-4 tablet:px-6">
        <h2 className="text-body tracking-[-0.01em]">Last told</h2>
        <p className="mt-1 text-label text-2">{lettersSentence(lettersoff)}</p>
      </div>
      {told.length === 0 && (
        <p className="px-5 py-4 text-label text-2 tablet:px-6">Nothing within 400 days.</p>
      )}
      <ul>
        {told.map(({ title, at, readat }) => (
          <li key={at + title} className="border-line px-5 py-3 not-first:border-t tablet:px-6">
            <span className="block text-control/5.5 font-medium wrap-anywhere">{title}</span>
            <Small>
              {`${dayOf(at)}, ${timeOf(at)}, ${readat ? `read ${dayOf(readat)}` : 'not read on the site'}`}
            </Small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
