import { whyTwo } from '@tallystick/contract/bounds';
import { isSameOutput } from '@tallystick/contract/chain';
import type { Cents } from '@tallystick/contract/money';
import { type Network, networks } from '@tallystick/contract/networks';
import { AppError, refuse } from '../../platform/app-error.ts';
import { writeAuditAll } from '../../platform/audit/audit.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import type { Ledger, MoneyCommand } from '../ledger/service.ts';
import { type Claim, confirmationsOf, type Networks, type PaymentRow } from '../networks/service.ts';
import { clearing, deposit, wallet } from './confirming.ts';
import { auditOf, byChain, claimOf, type Decided } from './decided.ts';
import { allMethods } from './method-store.ts';
import { decideRequests, type FundingRow, lockRequestsPaidBy, waitingPaidBy } from './store.ts';

const actor = { kind: 'system' } as const;

interface Credit extends MoneyCommand {
  payment: PaymentRow;
}

interface Credited extends Decided {
  /** What somebody has named this payment for, and nobody else has agreed to. */
  named: string[];
}

interface Facts {
  requests: Map<string, FundingRow>;
  payments: Map<string, PaymentRow>;
  claims: Map<string, Claim[]>;
  asked: Asked;
  thresholdCents: Cents;
}

/** How far each chain was read, and after how many blocks a payment counts: what confirmations are told by. */
interface Asked {
  heights: Map<Network, { height: number }>;
  methods: Map<string, { confirmations: number | null }>;
}

interface CreditingNeeds {
  db: Db;
  ledger: Ledger;
  bounds: BoundsRegister;
  networks: Networks;
}

const notNow = refuse('already_decided', 'This payment was credited, or is not there (any more).');

/** It has as many confirmations as its way in asks for. */
function isConfirmed(payment: PaymentRow, methodId: string, { heights, methods }: Asked): boolean {
  const { network } = payment;
  const cursor = heights.get(network);
  const needed = methods.get(methodId)?.confirmations ?? networks[network].confirmations;
  return cursor !== undefined && confirmationsOf(payment, cursor) >= needed;
}

/** Credits what a chain has confirmed: all of it at once, each payment once, whatever is restarted or run twice. */
export function createCrediting({ db, ledger, bounds, networks: chains }: CreditingNeeds) {
  const readAsked = async (on: Db | Tx): Promise<Asked> => ({
    heights: await chains.heights(on),
    methods: new Map((await allMethods(on)).map((method) => [method.id, method])),
  });

  async function read(tx: Tx, commands: Credit[]): Promise<Facts> {
    const ids = commands.map(({ payment }) => payment.id);
    const txids = [...new Set(commands.map(({ payment }) => payment.txid))];
    await lockNames(
      tx,
      txids.map((txid) => `payment ${txid}`),
    );
    const requests = await lockRequestsPaidBy(tx, ids);
    const payments = await chains.lockPayments(tx, ids);
    return {
      requests: new Map(requests.map((request) => [request.paymentId ?? '', request])),
      payments: new Map(payments.map((payment) => [payment.id, payment])),
      claims: Map.groupBy(await chains.claimsOf(tx, txids), ({ txid }) => txid),
      asked: await readAsked(tx),
      thresholdCents: (await bounds.bounds({ tx })).chainThresholdCents,
    };
  }

  const credit = ledger.verb<Credit, Facts, Credited>({
    bodyOf: ({ payment }) => ['credit', payment.id],
    async read(tx, commands, { openBook }) {
      const facts = await read(tx, commands);
      const accounts = [...facts.requests.values()].flatMap(({ userId, methodId }) => [
        wallet(userId),
        clearing(methodId),
      ]);
      return { facts, book: await openBook(accounts) };
    },
    decide({ command, facts, book, now }) {
      const payment = facts.payments.get(command.payment.id);
      const request = facts.requests.get(command.payment.id);
      if (payment?.state !== 'seen' || payment.cents === null || !payment.noticedAt) return notNow;
      if (request?.status !== 'pending' || request.firstConfirmedBy !== null) return notNow;
      // As it stands now: since it was looked at it may have got into another block.
      if (!isConfirmed(payment, request.methodId, facts.asked)) return notNow;
      const { network, txid, output, cents } = payment;
      const claims = (facts.claims.get(txid) ?? []).filter(
        (claim) => claim.network === network && isSameOutput(claim.output, output),
      );
      if (claims.some(({ final }) => final)) return notNow;
      const because = whyTwo({ amountCents: cents, sums: [], thresholdCents: facts.thresholdCents });
      const paid = { receivedCents: cents, network, chainTxid: txid, chainOutput: output };
      const row: FundingRow = because
        ? { ...request, ...paid, firstConfirmedBy: byChain, firstConfirmedAt: now, secondBecause: because }
        : { ...request, ...paid, status: 'confirmed', decidedAt: now, decidedBy: byChain };
      if (!because) book.post(deposit(row, cents, now));
      const named = claims.map(({ transactionid }) => transactionid);
      return { row: { row, actor, firstConfirmedBy: null, named } };
    },
    async write(tx, all, now) {
      const rows = all.map(({ row }) => row);
      await decideRequests(tx, rows);
      // One operator's word, that it was a payout, is less than what the chain shows.
      await chains.giveUpClaims(
        tx,
        all.flatMap(({ named }) => named),
      );
      await chains.claim(tx, rows.map(claimOf));
      const credited = rows.filter(({ status }) => status === 'confirmed');
      await chains.markPayments(
        tx,
        credited.flatMap(({ paymentId }) => paymentId ?? []),
        'credited',
      );
      const action = (row: FundingRow) =>
        row.status === 'confirmed' ? 'funding.credited' : 'funding.confirmed-first';
      await writeAuditAll(
        tx,
        all.map((each) => auditOf(action(each.row), each)),
        now,
      );
    },
  });

  /** All of a network that has as many confirmations as its way in asks for. */
  return async (network: Network): Promise<void> => {
    const open = (await chains.openPayments({ network })).filter(({ noticedAt }) => noticedAt);
    if (open.length === 0) return;
    const asked = await readAsked(db);
    const requests = await waitingPaidBy(
      db,
      open.map(({ id }) => id),
    );
    const due = open.filter((payment) => {
      const methodId = requests.get(payment.id);
      return methodId !== undefined && isConfirmed(payment, methodId, asked);
    });
    // Without a key: that it is credited once is seen in the payment itself, and who comes too late may come again.
    const credits = due.map((payment) =>
      credit({ payment, scope: byChain, idempotencyKey: null }).catch(tooLate),
    );
    // One that cannot be credited is told once all the others are.
    await Promise.allSettled(credits);
    await Promise.all(credits);
  };
}

function tooLate(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'already_decided')) throw error;
}
