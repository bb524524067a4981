import record from 'virtual:sample-record';
import type { ShownEntry } from '../../../sample-record/record.ts';
import { ArrowLink } from '../../ui/actions/links.tsx';
import { seamStyle } from '../../ui/brand/seam.ts';
import { recordCaption } from './record-caption.ts';

/** The middles of the entries, which stand under a head of 80 px and are 64 px high. */
const notchHeightsPx = record.entries.map((_, index) => 112 + 64 * index);

export function RecordSection() {
  return (
    <section className="wrap rhythm grid items-center gap-7 tablet:gap-8 desktop:grid-cols-[400px_1fr] desktop:gap-18">
      <div>
        <h2 className="text-section">Written once, split in two</h2>
        <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
          A tally stick was notched, then split. Lender and keeper each took a half, and a change to one could
          never fit the other. Your account works the same way: every entry carries a code that both halves
          must share.
        </p>
        <ArrowLink to="/proof" className="mt-3">
          See what is owed and held
        </ArrowLink>
      </div>
      <figure>
        <div className="grid grid-cols-2 gap-1.5 tablet:gap-2.5">
          <Half
            codeOf={(entry) => entry.yours}
            side="left"
            title="Your half"
            where="in your account"
            className="rounded-l-[20px] bg-half pr-5 pl-4 [--half-2:var(--on-half-2)] [--half-rule:var(--half-line)] tablet:pr-11 tablet:pl-9"
          />
          <Half
            codeOf={(entry) => entry.ours}
            side="right"
            title="Our half"
            where="in our books"
            className="rounded-r-[20px] bg-ink pr-4 pl-[22px] text-on-ink [--half-2:var(--on-ink-2)] [--half-rule:var(--ink-line)] tablet:pr-9 tablet:pl-11"
          />
        </div>
        <figcaption className="mt-3 text-caption text-3">{recordCaption(record)}</figcaption>
      </figure>
    </section>
  );
}

interface HalfProps {
  codeOf: (entry: ShownEntry) => string;
  side: 'left' | 'right';
  title: string;
  where: string;
  className: string;
}

function Half({ codeOf, side, title, where, className }: HalfProps) {
  return (
    <div style={seamStyle(side, notchHeightsPx)} className={`pb-3.5 [clip-path:var(--seam)] ${className}`}>
      <div className="flex h-20 flex-col justify-center">
        <h3 className="text-large/[22px] tracking-[-0.01em]">{title}</h3>
        <p className="text-caption text-(--half-2)">{where}</p>
      </div>
      <ul>
        {record.entries.map((entry) => (
          <li
            key={entry.ours}
            className="grid h-16 content-center border-t border-(--half-rule) tablet:grid-cols-[1fr_auto]"
          >
            <span className="text-label font-label tablet:text-control/5">{entry.name}</span>
            <span className="text-label font-semibold tabular-nums tablet:text-right tablet:text-control/5">
              {entry.amount}
            </span>
            <span className="text-caption text-(--half-2) max-tablet:hidden">{entry.when}</span>
            <span className="text-right font-mono text-[12.5px]/[18px] text-(--half-2) max-tablet:hidden">
              {codeOf(entry)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
