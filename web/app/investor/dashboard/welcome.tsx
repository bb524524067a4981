import type { ReactNode } from 'react';
import { greetingOf } from '../../domain/greeting.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { useNow } from '../../domain/now.ts';
import { useSession } from '../../storage.ts';
import { useSummary } from '../money/balance.ts';
import { useIsAway } from '../offline/reach.ts';
import { useFullname } from '../profile/use-profile.ts';
import { RecordCard } from '../record/record-card.tsx';
import { type ShownBalance, useRecordCheck } from '../record/use-record-check.ts';
import { useNextMaturity, welcomeSentence } from './maturity.ts';

export function Welcome({ waiting }: { waiting: number }) {
  const userId = useSession()?._id ?? '';
  const now = useNow();
  const { data: next } = useNextMaturity();
  const { data: sums, isError } = useSummary();
  const shown: ShownBalance | undefined = sums && {
    availableCents: centsOf(sums.available),
    head: sums.head,
  };
  const isAway = useIsAway();
  const state = useRecordCheck(userId, shown);
  const facts = !isAway && next && sums && { ...next, entries: sums.entries, waiting };
  return (
    <WelcomeBanner
      beside={<RecordCard state={isError && !sums ? { kind: 'unchecked', retry: null } : state} />}
    >
      {/* A space of its own line, so that nothing moves when the sentence is known. */}
      {facts ? welcomeSentence(facts, now) : isAway && sums ? 'Your last known figures.' : '\u00a0'}
    </WelcomeBanner>
  );
}

/** The dashboard's; every other screen has `WelcomeLine`. */
function WelcomeBanner({ beside, children }: { beside?: ReactNode; children: string }) {
  const fullname = useFullname();
  return (
    <section
      aria-label="Welcome"
      className="on-ink items-center justify-between gap-6 rounded-card bg-ink p-5 text-on-ink tablet:px-7 tablet:py-6 desktop:flex"
    >
      <div className="min-w-0">
        <h1 className="text-panel break-words">{greetingOf(fullname, new Date())}</h1>
        <p className="mt-0.5 text-control text-on-ink-2 max-tablet:min-h-11">{children}</p>
      </div>
      {beside}
    </section>
  );
}
