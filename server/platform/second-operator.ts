import { sql } from 'kysely';
import { AppError, errorOf, type Refusal, refuse, who } from './app-error.ts';
import { type Actor, type AuditEntry, writeAudit } from './audit/audit.ts';
import type { Clock } from './clock.ts';
import { type Db, inTransaction, type Tx } from './postgres/db.ts';

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

/** Of two who have to say the same: whether the first is an operator no more, so that another first one is needed. */
export const isFirstDeparted = (first: string | null, departed: ReadonlySet<string>): boolean =>
  first !== null && departed.has(first);

/** Who of two was first, unless that does not count any longer. */
export async function firstThatCounts(db: Db | Tx, first: string | null): Promise<string | null> {
  return isFirstDeparted(first, await departedAmong(db, [first])) ? null : first;
}

/** What one operator asked for and another has to agree to. */
interface Asked {
  askedBy: string;
  decidedBy: string | null;
  decidedAt: Date | null;
}

/** What is decided once, whoever began it. */
type Decidable = Omit<Asked, 'askedBy'>;

interface Kind<Row> {
  db: Db;
  clock: Clock;
  unknown: string;
  /** What became of one, as in `This draft was decided`. */
  decided(row: Row): string;
  lock(tx: Tx, id: string): Promise<Row | null | undefined>;
  /** Writes the decision and what follows from it; says what the audit log shall keep. */
  decide(
    tx: Tx,
    row: Row,
    decision: { agreed: boolean; actor: Actor; by: string; now: Date },
  ): Promise<Omit<AuditEntry, 'actor'>>;
}

/** Who comes late is told who was first. */
export const refuseLate = (decided: string, by: string | null): Refusal =>
  refuse('already_decided', `${decided} already, by ${who}.`, { by });

export function stillWaiting<Row extends Decidable>(
  row: Row | null | undefined,
  { unknown, decided }: Pick<Kind<Row>, 'unknown' | 'decided'>,
): Refusal | { row: Row } {
  if (!row) return refuse('not_found', unknown);
  return row.decidedAt ? refuseLate(decided(row), row.decidedBy) : { row };
}

/** Who asked cannot agree; what somebody asked for who is gone nobody can. */
export function refuseAgreement({ askedBy }: Asked, by: string, departed: Set<string>): Refusal | null {
  if (askedBy === by) {
    return refuse('second_operator_needed', 'Another operator has to agree to what you asked for.');
  }
  if (!departed.has(askedBy)) return null;
  const text = `${who} is an operator no more. Discard this and ask for it yourself.`;
  return refuse('second_operator_needed', text, { by: askedBy });
}

/** Where two have to do the same, nobody does it twice. */
export function refuseTwice(first: string | null, by: string, did: 'approved' | 'confirmed'): Refusal | null {
  if (first !== by) return null;
  return refuse('second_operator_needed', `You have ${did} this. Another operator has to, as well.`);
}

/** Decides about one of a kind, once: drops it, which anybody may, or agrees to it where `mayAgree` refuses nothing. */
export function createDecision<Row extends Decidable>(
  { db, clock, lock, decide, ...words }: Kind<Row>,
  mayAgree?: (tx: Tx, row: Row, by: string) => Promise<Refusal | null>,
) {
  return ({ id, actor }: { id: string; actor: Actor }): Promise<void> =>
    inTransaction(db, async (tx) => {
      const found = stillWaiting(await lock(tx, id), words);
      if ('refused' in found) throw errorOf(found);
      const by = nameOf(actor);
      const refused = await mayAgree?.(tx, found.row, by);
      if (refused) throw errorOf(refused);
      const now = clock.now();
      const trace = await decide(tx, found.row, { agreed: mayAgree !== undefined, actor, by, now });
      await writeAudit(tx, { actor, ...trace }, now);
    });
}

/** The rule of the second operator: one asks, another agrees, either drops it. Each leaves its trace. */
export function createProposals<Row extends Asked, Draft>(
  kind: Kind<Row> & {
    /** False when another waits in its place already. */
    insert(tx: Tx, draft: Draft, asked: { askedBy: string; now: Date }): Promise<boolean>;
    taken: string;
  },
) {
  return {
    async propose(tx: Tx, draft: Draft, trace: AuditEntry): Promise<void> {
      const now = kind.clock.now();
      const isFirst = await kind.insert(tx, draft, { askedBy: nameOf(trace.actor), now });
      if (!isFirst) throw new AppError('already_decided', kind.taken);
      await writeAudit(tx, trace, now);
    },
    agree: createDecision(kind, async (tx, row, by) =>
      refuseAgreement(row, by, await departedAmong(tx, [row.askedBy])),
    ),
    discard: createDecision(kind),
  };
}
