import type { ActorKind } from '@tallystick/contract/operator/audit';
import type { Db, Tx } from '../postgres/db.ts';
import type { JsonObject } from '../postgres/schema.ts';

export interface Actor {
  kind: ActorKind;
  id?: string;
  /** Where the request came from, as far as there was one. */
  address?: string;
}

export interface AuditEntry {
  actor: Actor;
  action: string;
  subjectId?: string;
  clientAddress?: string;
  details?: JsonObject;
}

/** What people do with their own account. */
export const ownAct = (
  kind: 'investor' | 'operator',
  id: string,
  action: string,
  clientAddress: string,
): AuditEntry => ({ actor: { kind, id }, action, subjectId: id, clientAddress });

/** Leaves a trace of an act in the transaction of the act. Every module does, so it is no module's own. */
export async function writeAudit(db: Db | Tx, entry: AuditEntry, now: Date): Promise<void> {
  await writeAuditAll(db, [entry], now);
}

export async function writeAuditAll(db: Db | Tx, entries: AuditEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    at: now,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id ?? null,
    action: entry.action,
    subject_id: entry.subjectId ?? null,
    client_address: entry.clientAddress ?? entry.actor.address ?? null,
    details: JSON.stringify(entry.details ?? {}),
  }));
  await db.insertInto('audit_log').values(rows).execute();
}
