import { sql } from 'kysely';
import { AppError } from './app-error.ts';
import type { Actor } from './audit/audit.ts';
import type { Db, Tx } from './postgres/db.ts';

/** How an actor is written down as who asked for something or agreed to it: a person, never a session. */
export const nameOf = (actor: Actor): string => actor.id ?? actor.kind;

/** Who of these is an operator no more. What they asked for or confirmed first does not count any longer. */
export async function departedAmong(
  db: Db | Tx,
  names: readonly (string | null | undefined)[],
): Promise<Set<string>> {
  const asked = [...new Set(names)].filter((name) => typeof name === 'string');
  if (asked.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id::text as id from operators where disabled_at is not null and id::text = any (${asked}::text[])`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Why somebody cannot agree to what was asked for; null when they can. */
export function agreementRefusal(askedBy: string, by: string, departed: ReadonlySet<string>): string | null {
  if (askedBy === by) return 'Another operator has to agree to what you asked for.';
  if (departed.has(askedBy))
    return `${askedBy} is an operator no more. Discard this and ask for it yourself.`;
  return null;
}

export async function refuseAgreement(tx: Tx, { askedBy }: { askedBy: string }, actor: Actor): Promise<void> {
  const refusal = agreementRefusal(askedBy, nameOf(actor), await departedAmong(tx, [askedBy]));
  if (refusal) throw new AppError('second_operator_needed', refusal);
}
