import type { Tx } from '../../platform/postgres/db.ts';
import type { JournalMovement } from '../ledger/service.ts';
import type { LetterAbout } from '../users/service.ts';
import { type InvestmentRow, investmentsNamed } from './store.ts';

function letterAbout(investment: InvestmentRow, movement: JournalMovement): LetterAbout {
  const { number, kind, transactionid, at } = movement;
  const { userId, planname, amountCents, profitCents, maturesAt } = investment;
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
      if (kind === 'maturity') return { kind: 'investment-matured', ...common };
      return { kind: 'investment-opened', ...common, maturesAt: maturesAt.toISOString() };
    },
  };
}

/** An investment bears the id of the movement that opened it; the one that pays it back refers to that. */
export async function lettersAbout(tx: Tx, movements: JournalMovement[]): Promise<LetterAbout[]> {
  const ours = movements.filter(({ kind }) => kind === 'investment' || kind === 'maturity');
  const nameOf = ({ reference, transactionid }: JournalMovement) => reference ?? transactionid;
  const named = new Map(
    (await investmentsNamed(tx, ours.map(nameOf))).map((row) => [row.transactionid, row]),
  );
  return ours.flatMap((movement) => {
    const investment = named.get(nameOf(movement));
    return investment ? [letterAbout(investment, movement)] : [];
  });
}
