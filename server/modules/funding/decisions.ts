import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit, writeAuditAll } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import { nameOf } from '../../platform/second-operator.ts';
import type { MoneyCommand } from '../ledger/service.ts';
import { type ConfirmingNeeds, createConfirming } from './confirming.ts';
import { auditOf, type Decided, noSuchRequest, refuseDecided, unconfirmed } from './decided.ts';
import { letterAbout } from './letters.ts';
import { decideRequests, type FundingRow, lockRequests } from './store.ts';

interface DecisionsNeeds extends ConfirmingNeeds {
  db: Db;
  clock: Clock;
}

interface Reject extends MoneyCommand {
  requestId: string;
  reason: string;
  actor: Actor;
}

/** What an operator does with a funding request. */
export function createDecisions(needs: DecisionsNeeds) {
  const { db, clock, ledger, users } = needs;
  const reject = ledger.verb<Reject, Map<string, FundingRow>, Decided>({
    bodyOf: ({ requestId, reason, actor }) => ['reject', requestId, reason, nameOf(actor)],
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
        ...{ ...request, ...unconfirmed },
        ...{ status: 'rejected' as const, reason, decidedAt: now, decidedBy: nameOf(actor) },
      };
      requests.set(requestId, row);
      return { row: { row, actor, firstConfirmedBy: request.firstConfirmedBy } };
    },
    async write(tx, all, now) {
      await decideRequests(
        tx,
        all.map(({ row }) => row),
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
    async dropConfirmation({ requestId, actor }: { requestId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const [request] = await lockRequests(tx, [requestId]);
        const refusal = request ? refuseDecided(request) : noSuchRequest;
        if (refusal) throw new AppError(refusal.refused.code, refusal.refused.message);
        if (!request?.firstConfirmedBy) {
          throw new AppError('already_decided', 'Nobody has confirmed this request (any more).');
        }
        const { firstConfirmedBy } = request;
        await decideRequests(tx, [{ ...request, ...unconfirmed }]);
        const entry = auditOf('funding.confirmation-dropped', { row: request, actor, firstConfirmedBy });
        await writeAudit(tx, entry, clock.now());
      });
    },
  };
}
