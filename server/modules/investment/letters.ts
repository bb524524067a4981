import type { Tx } from '../../platform/postgres/db.ts';
import type { JournalMovement } from '../ledger/service.ts';
import type { LetterAbout } from '../users/service.ts';
import { exitOpensAt } from './rules.ts';
import { type InvestmentRow, investmentsNamed } from './store.ts';

function letterAbout(investment: InvestmentRow, movement: JournalMovement): LetterAbout {
  const { number, kind, transactionid, at } = movement;
  const { userId, planname, amountCents, profitCents, maturesAt, left } = investment;
  return {
    number,
    userId,
    letter: (fullname) => {
      const common = {
        fullname,
        planname,
        amountCents: String(amountCents),
        profitCents: String(profitCents),
        transactionid,
        at: at.toISOString(),
      };
      if (kind === 'exit' && left) {
        const { profitCents: kept, feeCents, paidCents } = left;
        const amounts = {
          profitCents: String(kept),
          feeCents: String(feeCents),
          paidCents: String(paidCents),
        };
        return { kind: 'investment-left', ...common, ...amounts };
      }
      if (kind === 'maturity') return { kind: 'investment-matured', ...common };
      const exitFrom = exitOpensAt(investment)?.toISOString();
      return {
        kind: 'investment-opened',
        ...common,
        maturesAt: maturesAt.toISOString(),
        ...(exitFrom && { exitFrom }),
      };
    },
  };
}

const kinds = new Set(['investment', 'maturity', 'exit']);

/** An investment bears the id of the movement that opened it; the one that pays it back refers to that. */
export async function lettersAbout(tx: Tx, movements: JournalMovement[]): Promise<LetterAbout[]> {
  const ours = movements.filter(({ kind }) => kinds.has(kind));
  const nameOf = ({ reference, transactionid }: JournalMovement) => reference ?? transactionid;
  const named = new Map(
    (await investmentsNamed(tx, ours.map(nameOf))).map((row) => [row.transactionid, row]),
  );
  return ours.flatMap((movement) => {
    const investment = named.get(nameOf(movement));
    return investment ? [letterAbout(investment, movement)] : [];
  });
}
