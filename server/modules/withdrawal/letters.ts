import type { Tx } from '../../platform/postgres/db.ts';
import type { JournalMovement } from '../ledger/service.ts';
import type { LetterAbout, LetterTo } from '../users/service.ts';
import { type WithdrawalRow, withdrawalsNamed } from './store.ts';

/** What the investor is told about where the withdrawal stands. */
export function letterAbout(withdrawal: WithdrawalRow, now: Date): LetterTo {
  const { userId, status, amountCents, methodname, tag, transactionid } = withdrawal;
  const address = tag === null ? withdrawal.address : `${withdrawal.address} (destination tag ${tag})`;
  return {
    userId,
    letter: (fullname) => {
      const common = {
        fullname,
        amountCents: String(amountCents),
        methodname,
        address,
        transactionid,
        at: now.toISOString(),
      };
      const { chainTxid, reason } = withdrawal;
      if (status === 'paid') return { kind: 'withdrawal-paid', ...common, chainTxid: chainTxid ?? '' };
      if (status === 'rejected') return { kind: 'withdrawal-rejected', ...common, reason: reason ?? '' };
      return { kind: `withdrawal-${status}`, ...common };
    },
  };
}

const kinds = ['withdrawal', 'payout', 'withdrawal-returned'];

/** A withdrawal bears the id of the movement that holds its money; the one that ends it refers to that. */
export async function lettersAbout(tx: Tx, movements: JournalMovement[]): Promise<LetterAbout[]> {
  const ours = movements.filter(({ kind }) => kinds.includes(kind));
  const nameOf = ({ reference, transactionid }: JournalMovement) => reference ?? transactionid;
  const named = new Map(
    (await withdrawalsNamed(tx, { transactionids: ours.map(nameOf) })).map((row) => [row.transactionid, row]),
  );
  return ours.flatMap((movement) => {
    const withdrawal = named.get(nameOf(movement));
    if (!withdrawal) return [];
    // It may have gone on by now; this letter is about its beginning.
    const then =
      movement.kind === 'withdrawal' ? { ...withdrawal, status: 'requested' as const } : withdrawal;
    return [{ ...letterAbout(then, movement.at), number: movement.number }];
  });
}
