import { centsOf } from '../../domain/money/amount.ts';
import { useNow } from '../../domain/now.ts';
import { useSession } from '../../storage.ts';
import { useSummary } from '../balance.ts';
import { RecordCard } from '../record/record-card.tsx';
import { type ShownBalance, useRecordCheck } from '../record/use-record-check.ts';
import { WelcomeBanner } from '../welcome-banner.tsx';
import { useNextMaturity } from './next-maturity.ts';
import { welcomeSentence } from './welcome-sentence.ts';

export function Welcome({ waiting }: { waiting: number }) {
  const userId = useSession()?._id ?? '';
  const now = useNow();
  const { data: next } = useNextMaturity();
  const { data: sums, isError } = useSummary();
  const shown: ShownBalance | undefined = sums && {
    availableCents: centsOf(sums.available),
    head: sums.head,
  };
  const state = useRecordCheck(userId, shown);
  const facts = next && sums && { ...next, entries: sums.entries, waiting };
  return (
    <WelcomeBanner
      beside={<RecordCard state={isError && !sums ? { kind: 'unchecked', retry: null } : state} />}
    >
      {/* A space of its own line, so that nothing moves when the sentence is known. */}
      {facts ? welcomeSentence(facts, now) : '\u00a0'}
    </WelcomeBanner>
  );
}
