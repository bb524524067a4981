import type { LetterTo } from '../users/service.ts';
import type { WithdrawalRow } from './store.ts';

/** What the investor is told about where the withdrawal stands. */
export function letterAbout(withdrawal: WithdrawalRow, now: Date): LetterTo {
  const { userId, status, amountCents, methodname, address, transactionid } = withdrawal;
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
