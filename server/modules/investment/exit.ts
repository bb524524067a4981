import type { Cents } from '@tallystick/contract/money';
import { errorOf, type Refusal, refuse } from '../../platform/app-error.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres/db.ts';
import {
  type AccountRef,
  type Ledger,
  type MoneyCommand,
  movement,
  newTransactionId,
} from '../ledger/service.ts';
import { findToLeave, insertExits, type LeavingInvestment, lockToLeave } from './exit-store.ts';
import { type ExitOffer, exitOffer, exitPostings, isUuid } from './rules.ts';
import { markSettled } from './settlement-store.ts';
import { type InvestmentRow, investmentsNamed } from './store.ts';

interface Exit extends MoneyCommand {
  userId: string;
  investmentId: string;
  /** What the investor was shown, and pressed the button for. */
  payoutCents: Cents;
}

const returns: AccountRef = { kind: 'returns', ownerId: null };
const noSuchInvestment = refuse('not_found', 'There is no such investment.');

/** What is paid for leaving at a moment, or why nobody can. */
function offerTo(userId: string, row: LeavingInvestment, now: Date): ExitOffer | Refusal {
  if (row.userId !== userId) return noSuchInvestment;
  if (row.settledAt) return refuse('already_decided', 'This investment was paid back already.');
  return exitOffer(row, now);
}

/** Leaving an investment before its end, where its plan allows it: paid at once, and by nobody else later. */
export function createExit({ db, ledger }: { db: Db; ledger: Ledger }) {
  const exit = ledger.verb<Exit, Map<string, LeavingInvestment>, InvestmentRow>({
    bodyOf: ({ investmentId, payoutCents }) => ['exit', investmentId, String(payoutCents)],
    async read(tx, commands, { openBook }) {
      const ids = [...new Set(commands.map(({ investmentId }) => investmentId).filter(isUuid))];
      // Held before any account, as by the settlement: whoever comes second finds it settled.
      const rows = await lockToLeave(tx, ids);
      const own = commands.flatMap<AccountRef>(({ userId }) => [
        { kind: 'wallet', ownerId: userId },
        { kind: 'invested', ownerId: userId },
      ]);
      const book = await openBook(rows.length > 0 ? [...own, returns] : own);
      return { facts: new Map(rows.map((row) => [row.id, row])), book };
    },
    decide({ command: { userId, investmentId, payoutCents }, facts, book, now, borne }) {
      const investment = facts.get(investmentId);
      if (!investment) return noSuchInvestment;
      const offer = offerTo(userId, investment, now);
      if ('refused' in offer) return offer;
      if (offer.paidCents !== payoutCents) {
        return refuse(
          'terms_changed',
          'Another day of the term is over, so the amount is another. Nothing has moved: look at it again.',
        );
      }
      const transactionid = newTransactionId();
      const posted = book.post(
        movement({
          kind: 'exit',
          transactionid,
          at: now,
          borne,
          reference: investment.transactionid,
          postings: exitPostings(investment, offer),
        }),
      );
      if (posted === 'short') throw new Error(`the investment ${investmentId} is not covered`);
      const { days, keptCents: profitCents, feeCents, paidCents } = offer;
      const left = { days, profitCents, feeCents, paidCents };
      const settled = { ...investment, settledAt: now, settledBy: transactionid, left };
      // Another command of the same batch finds it settled.
      facts.set(investmentId, settled);
      const { exitKeepsPoints, exitFeePoints, ...row } = settled;
      return { row };
    },
    written(rows, now) {
      const left = rows.flatMap((row) => (row.left ? [{ ...row.left, id: row.id, userId: row.userId }] : []));
      const settled = rows.map(({ id, settledBy }) => ({ id, transactionid: settledBy ?? '' }));
      return [insertExits(left, now), markSettled(settled, now)];
    },
    made: { find: investmentsNamed },
  });

  return {
    exitInvestment: ({
      before,
      ...command
    }: Omit<Exit, 'scope'> & { before?: () => Promise<void> }): Promise<InvestmentRow> =>
      exit({ ...command, scope: command.userId }, before),

    /** What leaving pays now, line by line, and until when it pays just that. */
    async exitQuote({ userId, investmentId }: { userId: string; investmentId: string }) {
      const row = isUuid(investmentId) ? await findToLeave(db, investmentId) : null;
      if (!row) throw errorOf(noSuchInvestment);
      const offer = offerTo(userId, row, await ledger.timeOfMoney({ on: db }));
      if ('refused' in offer) throw errorOf(offer);
      const validUntil = new Date(row.openedAt.getTime() + (offer.days + 1) * dayMs);
      return { ...offer, investment: row, validUntil };
    },
  };
}
