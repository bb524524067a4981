import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import type { Funding } from '../funding/service.ts';
import type { Investments } from '../investment/service.ts';
import type { CorrectionRow, Ledger } from '../ledger/service.ts';
import type { Users } from '../users/service.ts';
import { type AuditFilter, auditEntries } from './audit/store.ts';
import { createBooks } from './books/books.ts';
import { createChecklist, type Installation } from './checklist/checklist.ts';
import { createInvestors } from './investors/investors.ts';
import { createQueue } from './queue/queue.ts';

interface OperatorNeeds {
  db: Db;
  clock: Clock;
  installation: Installation;
  bounds: BoundsRegister;
  ledger: Ledger;
  users: Users;
  investment: Investments;
  funding: Funding;
}

const streamedAtOnce = 1000;

/** The letter about a correction goes out with its posting; the ledger itself knows no letters. */
export function createCorrectionLetters({ users }: { users: Users }) {
  return (tx: Tx, corrections: CorrectionRow[], now: Date) =>
    users.writeTo({
      tx,
      letters: corrections.map(({ userId, amountCents, reason, transactionid }) => ({
        userId,
        letter: (fullname) => ({
          kind: 'correction-posted',
          fullname,
          amountCents: String(amountCents),
          reason,
          transactionid: transactionid ?? '',
          at: now.toISOString(),
        }),
      })),
    });
}

/** What the console reads across the modules. What its buttons do is theirs. */
export function createOperator(needs: OperatorNeeds) {
  const { db } = needs;
  const books = createBooks(needs);
  return {
    ...books,
    ...createQueue({ ...needs, coverage: books.coverage }),
    ...createInvestors(needs),
    ...createChecklist(needs),

    auditEntries({ filter, below, limit }: { filter: AuditFilter; below: bigint | null; limit: number }) {
      return auditEntries(db, filter, { below, limit });
    },

    /** The whole log, a thousand entries at a time, for a file. */
    async *wholeAudit({ filter }: { filter: AuditFilter }) {
      for (let below: bigint | null = null; ; ) {
        const part = await auditEntries(db, filter, { below, limit: streamedAtOnce });
        yield* part;
        const last = part.at(-1);
        if (!last || part.length < streamedAtOnce) return;
        below = last.id;
      }
    },
  };
}

export type Console = ReturnType<typeof createOperator>;
