import { refuse } from '../../../platform/app-error.ts';
import type { Statement } from '../../../platform/postgres/db.ts';
import { type CommandKey, insertCommands, type KeptCommand } from '../command-store.ts';
import type { Book } from '../rules.ts';
import type { Decision, Keyed, MoneyCommand, MoneyWork } from './money-work.ts';
import { toStored } from './stored-answer.ts';

const keyReused = refuse('key_reused', 'This Idempotency-Key was used for another request.');

export interface Decided<Row> {
  keyed: CommandKey;
  decision: Decision<Row>;
}

/** One command's decision, once it is certain that its key is kept by what it has made. */
export function decide<Command extends MoneyCommand, Facts, Row>(
  work: MoneyWork<Command, Facts, Row>,
  { command, movementId, bodySha256 }: Keyed<Command>,
  known: { facts: Facts; book: Book; now: Date },
): Decision<Row> {
  const decision = work.decide({ ...known, command, borne: { movementId, bodySha256 } });
  const isAccepted = 'row' in decision;
  if (work.made && isAccepted && known.book.movements.at(-1)?.id !== movementId) {
    throw new Error('a command was accepted, and no movement bears its key');
  }
  return decision;
}

/** What the accepted commands leave behind. */
export function acceptedRows<Command extends MoneyCommand, Facts, Row>(
  work: MoneyWork<Command, Facts, Row>,
  decided: Decided<Row>[],
  now: Date,
): { rows: Row[]; statements: Statement[] } {
  const rows: Row[] = [];
  const accepted: KeptCommand[] = [];
  for (const { keyed, decision } of decided) {
    if ('refused' in decision) continue;
    const { scope, key, bodySha256 } = keyed;
    rows.push(decision.row);
    if (!work.made) accepted.push({ scope, key, bodySha256, answer: { row: toStored(decision.row) } });
  }
  if (rows.length === 0) return { rows, statements: [] };
  const kept = accepted.length > 0 ? [insertCommands(accepted, now)] : [];
  return { rows, statements: [...kept, ...(work.written?.(rows, now) ?? [])] };
}

/** Those of the commands that came first with their key; the others get their answers. */
export function firstByName<Command>(keyed: Keyed<Command>[]): Map<string, Keyed<Command>> {
  const first = new Map<string, Keyed<Command>>();
  for (const each of keyed) if (!first.has(each.name)) first.set(each.name, each);
  return first;
}

export function answerEach<Command, Row>(
  keyed: Keyed<Command>[],
  bodyOf: (name: string) => string | undefined,
  answers: Map<string, Decision<Row>>,
): Decision<Row>[] {
  return keyed.map(({ name, bodySha256 }) => {
    if (bodyOf(name) !== bodySha256) return keyReused;
    const answer = answers.get(name);
    if (!answer) throw new Error('a command was left without an answer');
    return answer;
  });
}
