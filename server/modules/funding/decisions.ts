import { AppError, errorOf, refuse } from '../../platform/app-error.ts';
import { type Actor, writeAuditAll } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { createDecision, nameOf, stillWaiting } from '../../platform/second-operator.ts';
import type { MoneyCommand } from '../ledger/service.ts';
import type { Users } from '../users/service.ts';
import { type ConfirmingNeeds, createConfirming } from './confirming.ts';
import { auditOf, byChain, type Decided, unconfirmed, words } from './decided.ts';
import { letterAbout } from './letters.ts';
import { decideRequests, type FundingRow, lockRequests } from './store.ts';

interface DecisionsNeeds extends ConfirmingNeeds {
  db: Db;
  clock: Clock;
  users: Users;
}

interface Reject extends MoneyCommand {
  requestId: string;
  reason: string;
  actor: Actor;
}

/** What arrived is somebody's money: it can be credited, and withdrawals be frozen, but it cannot be said not to be there. */
const onTheChain = refuse('already_decided', 'The network shows this payment. It can only be confirmed.');

/** What an operator does with a funding request. */
export function createDecisions(needs: DecisionsNeeds) {
  const { db, clock, ledger, users, networks: chains } = needs;
  const reject = ledger.verb<Reject, Map<string, FundingRow>, Decided>({
    bodyOf: ({ requestId, reason, actor }) => ['reject', requestId, reason, nameOf(actor)],
    async read(tx, commands, { openBook }) {
      const requests = await lockRequests(tx, [...new Set(commands.map(({ requestId }) => requestId))]);
      return { facts: new Map(requests.map((request) => [request.id, request])), book: await openBook([]) };
    },
    decide({ command: { requestId, reason, actor }, facts: requests, now }) {
      const found = stillWaiting(requests.get(requestId), words);
      if ('refused' in found) return found;
      const request = found.row;
      if (request.paymentId) return onTheChain;
      const row = {
        ...request,
        ...unconfirmed,
        status: 'rejected' as const,
        reason,
        decidedAt: now,
        decidedBy: nameOf(actor),
      };
      requests.set(requestId, row);
      return { row: { row, actor, firstConfirmedBy: request.firstConfirmedBy } };
    },
    async write(tx, all, now) {
      await decideRequests(
        tx,
        all.map(({ row }) => row),
      );
      await chains.giveUpClaims(
        tx,
        all.map(({ row }) => row.transactionid),
      );
      await writeAuditAll(
        tx,
        all.map((each) => auditOf('funding.rejected', each)),
        now,
      );
      await users.writeTo({ tx, letters: all.map(({ row }) => letterAbout(row, now)) });
    },
  });

  return {
    confirmFunding: createConfirming(needs),

    rejectFunding: async (command: Omit<Reject, 'scope'>): Promise<FundingRow> =>
      (await reject({ ...command, scope: 'operator' })).row,

    /** By either operator: the request waits again as if nobody had confirmed it. */
    dropConfirmation: createDecision({
      ...words,
      db,
      clock,
      lock: async (tx, id) => (await lockRequests(tx, [id]))[0],
      async decide(tx, row, { actor }) {
        const { firstConfirmedBy } = row;
        if (!firstConfirmedBy) {
          throw new AppError('already_decided', 'Nobody has confirmed this request (any more).');
        }
        if (firstConfirmedBy === byChain) throw errorOf(onTheChain);
        await decideRequests(tx, [{ ...row, ...unconfirmed }]);
        await chains.giveUpClaims(tx, [row.transactionid]);
        return auditOf('funding.confirmation-dropped', { row, actor, firstConfirmedBy });
      },
    }),
  };
}
