import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';
import { chartSize } from './chart.ts';
import { KeyFigure, Live, LivePart, Where } from './live-part.tsx';

/** What is owed and held by the newest statement, then through time; `live-books.ts` fills it in. */
export function BooksSection() {
  return (
    <section className="wrap pt-8 tablet:pt-14">
      <h2 className="text-section">Owed and held</h2>
      <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
        A statement of the books is made every day and written into the public log. It says what is owed to
        all investors together, what falls due when, and what is held against it.
      </p>
      <LivePart
        id="statements"
        what="The statements"
        heightClass="h-96"
        none="There is no statement of the books yet. The first is made within a day."
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5 tabular-nums tablet:gap-5">
          <KeyFigures />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3.5 tablet:gap-5 desktop:grid-cols-2">
            <Owed />
            <Held />
          </div>
          <History />
          <Weeks />
        </div>
      </LivePart>
    </section>
  );
}

function KeyFigures() {
  return (
    <Card aria-label="Key figures">
      <dl className="grid divide-line tablet:grid-cols-3 max-tablet:divide-y tablet:divide-x">
        <KeyFigure name="Coverage" value="coverage" note={<Live text="coverageNote" />} />
        <KeyFigure name="Last proven" value="provenAt" note="how things stood then" />
        <KeyFigure name="Proof of it" value="number" note="anyone can fetch and check it" />
      </dl>
    </Card>
  );
}

const partClass = 'flex items-baseline justify-between gap-x-4 border-t border-line py-2.5 text-control/5';

function Owed() {
  return (
    <Side title="Owed" total="owed">
      <ul data-owed className="mt-4">
        <li className={partClass}>
          <Live text="name" className="text-2" />
          <b className="font-semibold">
            <Live text="amount" />
          </b>
        </li>
      </ul>
      <p className="border-t border-line pt-3 text-caption text-3">
        Added up over every investor in a tree of sums: each of them can find their own part in it, and nobody
        else’s.
      </p>
    </Side>
  );
}

function Held() {
  return (
    <Side title="Held" total="held">
      <ul data-held className="mt-4">
        <li className="border-t border-line py-2.5">
          <p className="flex items-baseline justify-between gap-x-4 text-control/5">
            <Live text="name" className="text-2" />
            <b className="font-semibold">
              <Live text="amount" />
            </b>
          </p>
          <p className="text-caption text-3">
            <Live text="source" />
          </p>
        </li>
      </ul>
      <Where text="unheld" className="border-t border-line pt-3 text-caption text-3 [p+&]:mt-3">
        Nothing was read from a chain, and no operator has entered anything.
      </Where>
      <p data-optional className="border-t border-line pt-3 text-caption text-3 [p+&]:mt-3">
        <Live text="typed" />
      </p>
      <details data-places className="border-t border-line pt-1 text-label text-2">
        <summary className="min-h-11 cursor-pointer py-2.5 font-semibold text-accent-text">
          Where it lies
        </summary>
        <ul className="grid gap-2 pb-2 text-caption">
          <li className="wrap-anywhere">
            <Live text="place" />
          </li>
        </ul>
      </details>
    </Side>
  );
}

function Side({ title, total, children }: { title: string; total: string; children: ReactNode }) {
  return (
    <Card aria-label={title} className="p-5 tablet:px-6.5 tablet:pt-5.5 tablet:pb-4">
      <h3 className="text-body tracking-[-0.01em]">{title}</h3>
      <p className="text-figure font-semibold">
        <Live text={total} />
      </p>
      {children}
    </Card>
  );
}

function History() {
  const { width, height } = chartSize;
  return (
    <Card aria-label="Owed against held through time" className="p-5 tablet:px-6.5">
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1">
        <h3 className="text-body tracking-[-0.01em]">Owed against held, through time</h3>
        <p className="flex gap-4 text-caption text-2" aria-hidden="true">
          <Swatch className="bg-accent-text">Owed</Swatch>
          <Swatch className="bg-(--text)">Held</Swatch>
        </p>
      </div>
      <p data-optional className="mt-2 text-control text-2">
        <span data-text="alone">The line begins with the second statement.</span>
      </p>
      <div data-chart className="mt-4">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Two lines, what was owed and what was held. The table beneath has the figures."
          className="block h-40 w-full border-b border-line"
        >
          <path data-line="owed" data-ground="" fill="var(--accent-text)" opacity=".12" />
          <path data-line="owed" {...lineLook} stroke="var(--accent-text)" />
          <path data-line="held" {...lineLook} stroke="var(--text)" />
        </svg>
        <p className="mt-1.5 flex justify-between gap-8 text-caption text-3 *:last:text-right">
          <Live text="from" />
          <Live text="to" />
        </p>
      </div>
      <details className="mt-1">
        <summary className="min-h-11 cursor-pointer py-2.5 text-label font-semibold text-accent-text">
          Show as table
        </summary>
        <section
          aria-label="Statements"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to reach it
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-control border border-line"
        >
          <table className="w-full text-label">
            <caption className="sr-only">Owed and held by each statement, newest first</caption>
            <thead className="sticky top-0 bg-surface text-caption text-3">
              <tr className="*:px-3 *:py-2 *:text-right *:font-label *:first:text-left">
                <th scope="col">Statement</th>
                <th scope="col">Owed</th>
                <th scope="col">Held</th>
              </tr>
            </thead>
            <tbody data-statements>
              <tr className="border-t border-line *:px-3 *:py-2">
                <th scope="row" className="text-left font-normal">
                  <Live text="number" /> <Live text="time" className="block text-caption text-3" />
                </th>
                <td className="text-right font-semibold">
                  <Live text="owed" />
                </td>
                <td className="text-right font-semibold">
                  <Live text="held" />
                </td>
              </tr>
            </tbody>
          </table>
        </section>
      </details>
    </Card>
  );
}

const lineLook = {
  fill: 'none',
  strokeWidth: 2,
  strokeLinejoin: 'round',
  vectorEffect: 'non-scaling-stroke',
} as const;

function Swatch({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <i className={`size-2.5 rounded-[3px] ${className}`} />
      {children}
    </span>
  );
}

/** A table with a bar in each row: picture and figures are one thing. */
function Weeks() {
  return (
    <Card aria-label="What falls due" className="p-5 tablet:px-6.5">
      <h3 className="text-body tracking-[-0.01em]">What falls due, by week</h3>
      <p className="mt-0.5 text-label text-2">
        Principal and profit of running investments, in the week they mature. Weeks begin on Monday (UTC);
        what is overdue stands in the first.
      </p>
      <div data-weeks className="mt-3">
        <Where text="due" className="text-control text-2">
          No investment is running, so nothing falls due.
        </Where>
        <table className="w-full text-label">
          <caption className="sr-only">Obligations by the week they fall due</caption>
          <thead className="text-caption text-3">
            <tr className="*:py-2 *:text-right *:font-label *:first:text-left">
              <th scope="col">Week of</th>
              <td className="max-tablet:hidden" />
              <th scope="col">Principal</th>
              <th scope="col" className="pl-3">
                Profit
              </th>
              <th scope="col" className="pl-3 max-tablet:hidden">
                Together
              </th>
            </tr>
          </thead>
          <tbody>
            <tr className="border-t border-line *:py-2.5 *:text-right">
              <th scope="row" className="text-left! font-normal whitespace-nowrap">
                <Live text="week" />
              </th>
              <td className="w-2/5 px-4 max-tablet:hidden" aria-hidden="true">
                <i data-bar className="block h-2 min-w-1 rounded-[2px] bg-accent-text" />
              </td>
              <td className="pl-3">
                <Live text="principal" />
              </td>
              <td className="pl-3">
                <Live text="profit" />
              </td>
              <td className="pl-3 font-semibold max-tablet:hidden">
                <Live text="due" />
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    </Card>
  );
}
