import { fundingCentsMax } from '@tallystick/contract/funding';
import { type Cents, formatUsd } from '@tallystick/contract/money';
import { type Actor, writeAuditAll } from '../../platform/audit.ts';
import { type Ledger, type MoneyCommand, movement, type Refusal, refuse } from '../ledger/service.ts';
import type { Users } from '../users/service.ts';
import { letterAbout } from './letters.ts';
import {
  allMethods,
  creditedBefore,
  decideRequests,
  type FundingRow,
  lockPayments,
  lockRequests,
} from './store.ts';

interface DecisionsNeeds {
  ledger: Ledger;
  users: Users;
}

interface Confirm extends MoneyCommand {
  requestId: string;
  receivedCents: Cents;
  network: string;
  chainTxid: string;
  chainOutput: number | null;
  actor: Actor;
}

interface Reject extends MoneyCommand {
  requestId: string;
  reason: string;
  actor: Actor;
}

interface Facts {
  requests: Map<string, FundingRow>;
  /** Payments on the chain that have been credited, by their id, with the request they were credited for. */
  credited: Map<string, { output: number | null; transactionid: string }[]>;
  /** The methods whose network has outputs: elsewhere one transaction is one payment. */
  withOutputs: Set<string>;
}

/**
 * Who was credited for a payment. Its id says it all: networks are spelled in many ways, and no two of them share an
 * id. Where no output is named, the whole transaction is meant, whatever its outputs.
 */
function creditedFor({ credited }: Facts, { chainTxid, chainOutput }: Confirm): string | null {
  const same = (credited.get(chainTxid) ?? []).find(
    ({ output }) => output === null || chainOutput === null || output === chainOutput,
  );
  return same?.transactionid ?? null;
}

/** The same payment however it was copied: with spaces around it, with or without 0x, in capitals or not. */
function normalized(command: Omit<Confirm, 'scope'>): Omit<Confirm, 'scope'> {
  const chainTxid = command.chainTxid.trim().toLowerCase().replace(/^0x/, '');
  return { ...command, chainTxid, network: command.network.trim().toLowerCase() };
}

const isTxid = (text: string) => /^[0-9a-z-]{1,128}$/.test(text);
const wallet = (userId: string) => ({ kind: 'wallet', ownerId: userId }) as const;
const clearing = (methodId: string) => ({ kind: 'clearing', ownerId: methodId }) as const;

/** Only what is pending can be decided; who comes second is told who was first. */
function refuseDecided(request: FundingRow): Refusal | null {
  if (request.status === 'pending') return null;
  return refuse('already_decided', `This request was ${request.status} already, by ${request.decidedBy}.`);
}

const noSuchRequest = refuse('not_found', 'There is no such funding request.');

/** What an operator does with a funding request. */
export function createDecisions({ ledger, users }: DecisionsNeeds) {
  const trace = (action: string, rows: { row: FundingRow; actor: Actor }[]) =>
    rows.map(({ row, actor }) => ({
      actor,
      action,
      subjectId: row.userId,
      details: {
        transactionid: row.transactionid,
        askedCents: String(row.amountCents),
        receivedCents: row.receivedCents === null ? null : String(row.receivedCents),
        network: row.network,
        chainOutput: row.chainOutput,
        chainTxid: row.chainTxid,
        reason: row.reason,
      },
    }));

  const confirm = ledger.verb<Confirm, Facts, { row: FundingRow; actor: Actor }>({
    bodyOf: ({ requestId, receivedCents, network, chainTxid, chainOutput, actor }) => [
      ...['confirm', requestId, String(receivedCents), network, chainTxid],
      ...[chainOutput, actor.id ?? actor.kind],
    ],
    async read(tx, commands) {
      const txids = [...new Set(commands.map(({ chainTxid }) => chainTxid))];
      await lockPayments(tx, txids);
      const requests = await lockRequests(tx, [...new Set(commands.map(({ requestId }) => requestId))]);
      const credited = await creditedBefore(tx, txids);
      return {
        requests: new Map(requests.map((request) => [request.id, request])),
        credited: Map.groupBy(
          credited.map((row) => ({ ...row, output: row.chainOutput })),
          (row) => row.chainTxid ?? '',
        ),
        withOutputs: new Set(
          (await allMethods(tx)).filter(({ coin }) => coin === 'bitcoin').map(({ id }) => id),
        ),
      };
    },
    accountsOf({ requestId }, { requests }) {
      const request = requests.get(requestId);
      return request ? [wallet(request.userId), clearing(request.methodId)] : [];
    },
    decide({ command, facts, book, now }) {
      const { requestId, receivedCents, network, chainTxid, chainOutput, actor } = command;
      const request = facts.requests.get(requestId);
      if (!request) return noSuchRequest;
      const refused = refuseDecided(request);
      if (refused) return refused;
      if (!isTxid(chainTxid)) return refuse('outside_range', 'This is not the id of a transaction.');
      if (chainOutput !== null && !facts.withOutputs.has(request.methodId)) {
        return refuse('outside_range', 'Only a Bitcoin transaction has numbered outputs.');
      }
      if (receivedCents <= 0n || receivedCents > fundingCentsMax) {
        return refuse('outside_range', `One deposit is at most ${formatUsd(fundingCentsMax)}.`);
      }
      const earlier = creditedFor(facts, command);
      if (earlier) {
        return refuse('already_decided', `This payment was credited before, for ${earlier}.`);
      }
      book.post(
        movement({
          kind: 'deposit',
          transactionid: request.transactionid,
          at: now,
          postings: [
            { account: clearing(request.methodId), amountCents: -receivedCents, label: request.paymentname },
            { account: wallet(request.userId), amountCents: receivedCents, label: request.paymentname },
          ],
        }),
      );
      const decidedBy = actor.id ?? actor.kind;
      const row = {
        ...request,
        ...{
          status: 'confirmed' as const,
          receivedCents,
          network,
          chainTxid,
          chainOutput,
          decidedAt: now,
          decidedBy,
        },
      };
      facts.requests.set(requestId, row);
      const known = facts.credited.get(chainTxid) ?? [];
      facts.credited.set(chainTxid, [
        ...known,
        { output: chainOutput, transactionid: request.transactionid },
      ]);
      return { row: { row, actor } };
    },
    async write(tx, rows, now) {
      await decideRequests(
        tx,
        rows.map(({ row }) => row),
      );
      await writeAuditAll(tx, trace('funding.confirmed', rows), now);
      await users.writeTo({ tx, letters: rows.map(({ row }) => letterAbout(row, now)) });
    },
  });

  const reject = ledger.verb<Reject, Map<string, FundingRow>, { row: FundingRow; actor: Actor }>({
    bodyOf: ({ requestId, reason, actor }) => ['reject', requestId, reason, actor.id ?? actor.kind],
    async read(tx, commands) {
      const requests = await lockRequests(tx, [...new Set(commands.map(({ requestId }) => requestId))]);
      return new Map(requests.map((request) => [request.id, request]));
    },
    accountsOf: () => [],
    decide({ command: { requestId, reason, actor }, facts: requests, now }) {
      const request = requests.get(requestId);
      if (!request) return noSuchRequest;
      const refused = refuseDecided(request);
      if (refused) return refused;
      const row = {
        ...request,
        ...{ status: 'rejected' as const, reason, decidedAt: now, decidedBy: actor.id ?? actor.kind },
      };
      requests.set(requestId, row);
      return { row: { row, actor } };
    },
    async write(tx, rows, now) {
      await decideRequests(
        tx,
        rows.map(({ row }) => row),
      );
      await writeAuditAll(tx, trace('funding.rejected', rows), now);
      await users.writeTo({ tx, letters: rows.map(({ row }) => letterAbout(row, now)) });
    },
  });

  return {
    /** Credits what really arrived, which need not be what was announced. */
    async confirmFunding(command: Omit<Confirm, 'scope'>): Promise<FundingRow> {
      return (await confirm({ ...normalized(command), scope: 'operator' })).row;
    },

    rejectFunding: async (command: Omit<Reject, 'scope'>): Promise<FundingRow> =>
      (await reject({ ...command, scope: 'operator' })).row,
  };
}
