import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Ledger } from '../ledger/service.ts';
import { accruedCents, dueByWeek, flowsByDay, heldByMethod, insertHeld, sumsByKind } from './books-store.ts';
import { daysUntil, mondayOf, weeksFrom } from './rules.ts';

const weeksShown = 13;
const daysShown = 30;

/** What is owed against what is held. The figures are read, never kept: they cannot disagree with the journal. */
export function createBooks({ db, clock, ledger }: { db: Db; clock: Clock; ledger: Ledger }) {
  async function owed(now: Date) {
    const [sums, accrued] = await Promise.all([sumsByKind(db), accruedCents(db, now)]);
    const of = (kind: string): Cents => sums.get(kind) ?? 0n;
    const parts = {
      walletsCents: of('wallet'),
      investedCents: of('invested'),
      accruedCents: accrued,
      withdrawingCents: of('withdrawing'),
    };
    const together = parts.walletsCents + parts.investedCents + parts.accruedCents + parts.withdrawingCents;
    return { ...parts, togetherCents: together };
  }

  async function held() {
    const methods = await heldByMethod(db);
    const entered = methods.filter(({ amountCents }) => amountCents !== null);
    const together = entered.reduce((sum, { amountCents }) => sum + (amountCents ?? 0n), 0n);
    return { methods, togetherCents: entered.length > 0 ? together : null };
  }

  async function weeks(now: Date) {
    const monday = mondayOf(now);
    const due = await dueByWeek(db, monday, weeksShown);
    const nothing = { principalCents: 0n, profitCents: 0n, count: 0n };
    const byMonday = new Map(due.map((week) => [week.monday?.getTime() ?? null, week]));
    return {
      weeks: weeksFrom(monday, weeksShown).map((each) => ({
        ...(byMonday.get(each.getTime()) ?? nothing),
        monday: each,
      })),
      later: byMonday.get(null) ?? nothing,
    };
  }

  async function days(now: Date) {
    const shown = daysUntil(now, daysShown);
    const flows = await flowsByDay(db, new Date(`${shown[0]}T00:00:00Z`));
    const byDay = new Map(flows.map((flow) => [flow.day, flow]));
    return shown.map((day) => byDay.get(day) ?? { day, depositCents: 0n, withdrawalCents: 0n });
  }

  return {
    async coverage() {
      const [owes, holds] = await Promise.all([owed(clock.now()), held()]);
      return { owedCents: owes.togetherCents, heldCents: holds.togetherCents };
    },

    async books() {
      const at = clock.now();
      const [owes, holds, due, flows, check, frozenBecause] = await Promise.all([
        owed(at),
        held(),
        weeks(at),
        days(at),
        ledger.lastCheck(),
        ledger.frozenBecause(),
      ]);
      return { at, owed: owes, held: holds, ...due, days: flows, check, frozenBecause };
    },

    async enterHeld({
      methodId,
      amountCents,
      actor,
    }: {
      methodId: string;
      amountCents: Cents;
      actor: Actor;
    }) {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const paymentname = await insertHeld(tx, { methodId, amountCents, by: actor.id ?? actor.kind, now });
        if (paymentname === null) throw new AppError('not_found', 'There is no such payment method.');
        const details = { paymentname, amountCents: String(amountCents) };
        await writeAudit(tx, { actor, action: 'holding.entered', subjectId: methodId, details }, now);
      });
    },

    /** Only after the books were seen to agree again. */
    async unfreezeBooks({ reason, actor }: { reason: string; actor: Actor }): Promise<void> {
      if ((await ledger.frozenBecause()) === null) {
        throw new AppError('already_decided', 'Withdrawals are not frozen (any more).');
      }
      const { findings } = await ledger.checkBooks();
      if (findings.length > 0) {
        throw new AppError('already_decided', `The books still do not agree: ${findings[0]}.`);
      }
      await ledger.unfreeze({ actor, reason });
    },
  };
}
