import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { dayOf } from '../../domain/dates.ts';
import { Button } from '../../ui/actions/button.tsx';
import { bitcoinText, type ChartPoint, dailyRows } from './chart-figures.ts';

/** The foot of the chart: the same figures as a table, and where they and the drawing come from. */
export function BitcoinTable({ points, isSample }: { points: readonly ChartPoint[]; isSample: boolean }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  // Nobody waits for rows that are folded away.
  const rows = open ? dailyRows(points) : [];
  // The line stays as high as it will be.
  if (points.length === 0) return <div className="mt-auto h-11" />;
  return (
    <>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 px-1">
        <Button
          look="quiet"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="-ml-3 px-3! text-label!"
        >
          {open ? 'Hide the table' : 'Show as table'}
          <ChevronDown className={`size-4 ${open ? 'rotate-180' : ''}`} aria-hidden="true" />
        </Button>
        <p className="text-caption text-3">
          {isSample && 'Sample prices. '}
          Drawn with{' '}
          <a
            href="https://www.tradingview.com/"
            rel="noreferrer"
            target="_blank"
            className="inline-flex min-h-6 items-center underline underline-offset-3"
          >
            TradingView Lightweight Charts
          </a>
        </p>
      </div>
      <div id={id} hidden={!open}>
        <section
          aria-label="Bitcoin by day"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to reach it
          tabIndex={0}
          className="mb-3 max-h-80 overflow-y-auto rounded-control border border-line"
        >
          <table className="w-full text-label">
            <caption className="sr-only">Bitcoin in US dollars at the end of each day, newest first</caption>
            <thead className="sticky top-0 bg-surface text-caption text-3">
              <tr className="*:px-4 *:py-2 *:font-label">
                <th scope="col" className="text-left">
                  Day
                </th>
                <th scope="col" className="text-right">
                  Price
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ at, usd }) => (
                <tr key={at} className="border-t border-line *:px-4 *:py-2">
                  <th scope="row" className="text-left font-normal">
                    {dayOf(at)}
                  </th>
                  <td className="text-right font-semibold">{bitcoinText(usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </>
  );
}
