import type { CallAnswer } from '@tallystick/contract/call';
import { checklist } from '@tallystick/contract/operator/checklist';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { pageMeta } from '../../brand.ts';
import { counted } from '../../domain/dates.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Bounds } from './bounds.tsx';

export const meta = () => pageMeta('Checklist', 'What is missing before real people use it.');

type Item = CallAnswer<typeof checklist>['items'][number];

/** Where in the console something can be done about it; the rest is done on the server. */
const places: Partial<Record<Item['key'], { to: string; name: string }>> = {
  payments: { to: '/operator/methods', name: 'Open Methods' },
  check: { to: '/operator/books', name: 'Open Books' },
};

export default function ChecklistPage() {
  const query = useLive(checklist, {}, 'Error fetching the checklist:');
  const { data } = query;
  return (
    <>
      <PageHead title="Checklist" note={data && missingSentence(data.items)} />
      <div className="grid items-start gap-3.5 tablet:gap-5 desktop:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
        <Card aria-label="Before real people use it">
          <LiveList
            query={query}
            rows={data?.items}
            ifFailed="The checklist could not be fetched."
            skeleton={{ height: 'h-20' }}
            empty={null}
            phone={(items) => (
              <ul>
                {items.map((item) => (
                  <ChecklistItem key={item.key} item={item} />
                ))}
              </ul>
            )}
          />
        </Card>
        {data && <Bounds bounds={data.bounds} change={data.boundschange} />}
      </div>
    </>
  );
}

function missingSentence(items: readonly Item[]): string {
  const missing = items.filter(({ done }) => !done).length;
  if (missing === 0) return 'Everything is in place.';
  return `${counted(missing, 'thing')} missing before real people use it.`;
}

function ChecklistItem({ item: { key, title, done, detail } }: { item: Item }) {
  const Icon = done ? CircleCheck : CircleAlert;
  const place = done ? undefined : places[key];
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3.5 gap-y-1 border-line px-5 py-4 not-first:border-t tablet:px-6">
      <Icon className={`mt-px size-5 ${done ? 'text-3' : 'text-1'}`} strokeWidth={1.75} aria-hidden="true" />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <b className="text-control font-semibold">{title}</b>
        <span className={`text-caption ${done ? 'text-3' : 'font-semibold'}`}>
          {done ? 'Done' : 'Missing'}
        </span>
      </div>
      <div className="col-start-2 text-label text-2">
        <p className="wrap-anywhere">{detail}</p>
        {place && (
          <Link to={place.to} className="textlink mt-1 inline-block py-1">
            {place.name}
          </Link>
        )}
      </div>
    </li>
  );
}
