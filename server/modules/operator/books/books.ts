import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { nameOf } from '../../../platform/second-operator.ts';
import type { Ledger } from '../../ledger/service.ts';
import { daysUntil, mondayOf, weeksFrom } from '../rules.ts';
import * as store from './store.ts';

const weeksShown = 13;
const daysShown = 30;
const coverageKeptMs = 15_000;

interface Coverage {
  owedCents: Cents;
  heldCents: Cents | null;
}

/** What is owed against what is held. The figures are read, never kept: they cannot disagree with the journal. */
export function createBooks({ db, clock, ledger }: { db: Db; clock: Clock; ledger: Ledger }) {
  async function owed(tx: Tx, now: Date) {
    const sums = await store.sumsByKind(tx);
    const accrued = await store.accruedCents(tx, now);
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

  async function held(tx: Tx) {
    const methods = await store.heldByMethod(tx);
    const entered = methods.filter(({ amountCents }) => amountCents !== null);
    const together = entered.reduce((sum, { amountCents }) => sum + (amountCents ?? 0n), 0n);
    return { methods, togetherCents: entered.length > 0 ? together : null };
  }

  async function weeks(tx: Tx, now: Date) {
    const monday = mondayOf(now);
    const due = await store.dueByWeek(tx, monday, weeksShown);
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

  async function days(tx: Tx, now: Date) {
    const shown = daysUntil(now, daysShown);
    const flows = await store.flowsByDay(tx, new Date(`${shown[0]}T00:00:00Z`));
    const byDay = new Map(flows.map((flow) => [flow.day, flow]));
    return shown.map((day) => byDay.get(day) ?? { day, depositCents: 0n, withdrawalCents: 0n });
  }

  /** One snapshot for all figures: a settlement in between would otherwise count twice, or not at all. */
  const asOfNow = <T>(read: (tx: Tx, at: Date) => Promise<T>): Promise<T> =>
    inTransaction(db, async (tx) => {
      await store.takeSnapshot(tx);
      return read(tx, clock.now());
    });
  let kept: { value: Coverage; at: number } | null = null;

  return {
    /** For the queue, which asks every few seconds: at most so old that nobody decides by the difference. */
    async coverage(): Promise<Coverage> {
      const now = clock.now().getTime();
      if (kept && now - kept.at < coverageKeptMs) return kept.value;
      const value = await asOfNow(async (tx, at) => ({
        owedCents: (await owed(tx, at)).togetherCents,
        heldCents: (await held(tx)).togetherCents,
      }));
      kept = { value, at: now };
      return value;
    },

    books: () =>
      asOfNow(async (tx, at) => ({
        at,
        owed: await owed(tx, at),
        held: await held(tx),
        ...(await weeks(tx, at)),
        days: await days(tx, at),
        check: await ledger.lastCheck(),
        frozenBecause: await ledger.frozenBecause({ tx }),
      })),

    async enterHeld(input: { methodId: string; amountCents: Cents; actor: Actor }) {
      const { methodId, amountCents, actor } = input;
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const paymentname = await store.insertHeld(tx, { methodId, amountCents, by: nameOf(actor), now });
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
      await ledger.checkBooks();
      await ledger.unfreeze({ actor, reason });
    },
  };
}
