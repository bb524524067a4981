import * as calls from '@tallystick/contract/operator/audit';
import { operatorPageSize as pageSize } from '@tallystick/contract/operator/fields';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { serve, serveCsv } from '../../../platform/http/serve.ts';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import { periodOf } from '../rules.ts';
import type { Console } from '../service.ts';
import type { AuditEntryRow, AuditFilter } from './store.ts';

const auditHeads = ['Number', 'Time', 'Who', 'Name', 'Action', 'About', 'Name', 'Address', 'Details'];

export function auditRoutes(app: FastifyInstance, { operator }: { operator: Console }): void {
  type Query = z.output<typeof calls.AuditQuery>;
  const filterOf = ({ actorkind, action, search, from, to }: Query): AuditFilter => ({
    actorKind: actorkind,
    action,
    search,
    ...periodOf({ from, to }),
  });
  const entryToWire = (row: AuditEntryRow): calls.AuditRow => ({
    _id: Number(row.id),
    at: row.at.toISOString(),
    actorkind: row.actorKind,
    actorid: row.actorId,
    actorname: row.actorName,
    action: row.action,
    subjectid: row.subjectId,
    subjectname: row.subjectName,
    address: row.clientAddress,
    details: row.details as calls.AuditRow['details'],
  });

  serve(app, 'operator', calls.audit, async ({ query, request }) => {
    const below = query.before === undefined ? null : BigInt(query.before);
    // One more than is shown tells whether there is an older page.
    const asked = { filter: filterOf(query), below, limit: pageSize + 1, on: request.readDb };
    const found = await operator.auditEntries(asked);
    const entries = found.slice(0, pageSize);
    const older = found.length > pageSize ? Number(entries.at(-1)?.id) : null;
    return { entries: entries.map(entryToWire), older };
  });

  const file = { summary: 'The same log as CSV', filename: 'audit.csv', query: calls.AuditQuery };
  serveCsv(app, calls.audit, file, async ({ query, request }) =>
    streamedCsv(auditHeads, operator.wholeAudit({ filter: filterOf(query), on: request.readDb }), (row) => [
      String(row.id),
      row.at.toISOString(),
      row.actorKind,
      row.actorName ?? row.actorId,
      row.action,
      row.subjectId,
      row.subjectName,
      row.clientAddress,
      JSON.stringify(row.details),
    ]),
  );
}
