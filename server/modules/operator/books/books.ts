import type { Cents } from '@tallystick/contract/money';
import { type Network, networkNameOf, networkOf } from '@tallystick/contract/networks';
import { AppError } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { nameOf } from '../../../platform/second-operator.ts';
import type { Ledger } from '../../ledger/service.ts';
import type { Networks } from '../../networks/service.ts';
import {
  accruedCents,
  dueByWeek,
  heldByMethod,
  mondayOf,
  sumsByKind,
  takeSnapshot,
  weeksFrom,
} from '../../proof/service.ts';
import { daysUntil } from '../rules.ts';
import * as store from './store.ts';

const weeksShown = 13;
const daysShown = 30;
const coverageKeptMs = 15_000;

interface Coverage {
  owedCents: Cents;
  heldCents: Cents | null;
  /** What of that was typed, because no node tells. */
  typedCents: Cents | null;
}

interface BooksNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  networks: Networks;
}

type Prices = Awaited<ReturnType<Networks['newestPrices']>>;

/** Null when not one of them is known. */
function sumOf(amounts: (Cents | null)[]): Cents | null {
  const known = amounts.filter((cents) => cents !== null);
  return known.length > 0 ? known.reduce((sum, cents) => sum + cents, 0n) : null;
}

/** What is owed against what is held. The figures are read, never kept: they cannot disagree with the journal. */
export function createBooks({ db, clock, ledger, networks }: BooksNeeds) {
  const networkRead = (coin: string): Network | null => {
    const network = networkOf(coin);
    return network && networks.isWatched(network) ? network : null;
  };

  async function owed(tx: Tx, now: Date) {
    const sums = await sumsByKind(tx);
    const accrued = await accruedCents(tx, now);
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

  /** The chain's word where it is read; what somebody typed only elsewhere. */
  async function held(tx: Tx, prices: Prices) {
    const read = await networks.heldOnChains(tx, prices);
    const methods = (await heldByMethod(tx)).filter(({ coin }) => networkRead(coin) === null);
    const typedCents = sumOf(methods.map(({ amountCents }) => amountCents));
    const togetherCents = sumOf([typedCents, ...read.map(({ cents }) => cents)]);
    return { networks: read, methods, typedCents, togetherCents };
  }

  async function weeks(tx: Tx, now: Date) {
    const monday = mondayOf(now);
    const due = await dueByWeek(tx, monday, weeksShown);
    const nothing = { principalCents: 0n, profitCents: 0n, againCents: 0n, count: 0n };
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
  const asOfNow = async <T>(read: (tx: Tx, at: Date, prices: Prices) => Promise<T>): Promise<T> => {
    const prices = await networks.newestPrices();
    return inTransaction(db, async (tx) => {
      await takeSnapshot(tx);
      return read(tx, clock.now(), prices);
    });
  };
  let kept: { value: Coverage; at: number } | null = null;

  return {
    /** For the queue, which asks every few seconds: at most so old that nobody decides by the difference. */
    async coverage(): Promise<Coverage> {
      const now = clock.now().getTime();
      if (kept && now - kept.at < coverageKeptMs) return kept.value;
      const value = await asOfNow(async (tx, at, prices) => {
        const { togetherCents: heldCents, typedCents } = await held(tx, prices);
        return { owedCents: (await owed(tx, at)).togetherCents, heldCents, typedCents };
      });
      kept = { value, at: now };
      return value;
    },

    books: () =>
      asOfNow(async (tx, at, prices) => ({
        at,
        owed: await owed(tx, at),
        held: await held(tx, prices),
        cold: await networks.coldAddresses(tx),
        ...(await weeks(tx, at)),
        days: await days(tx, at),
        check: await ledger.lastCheck(),
        frozenBecause: await ledger.frozenBecause({ tx }),
      })),

    async enterHeld(input: { methodId: string; amountCents: Cents; actor: Actor }) {
      const { methodId, amountCents, actor } = input;
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const method = await store.insertHeld(tx, { methodId, amountCents, by: nameOf(actor), now });
        if (!method) throw new AppError('not_found', 'There is no such payment method.');
        const { paymentname, coin } = method;
        const network = networkRead(coin);
        if (network) {
          const why = `What is held on ${networkNameOf(network)} is read from its chain.`;
          throw new AppError('already_decided', why);
        }
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
