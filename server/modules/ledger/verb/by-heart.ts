import { writeAtOnce } from '../../../platform/postgres/db.ts';
import { demandNewKeys } from '../command-store.ts';
import { Book } from '../rules.ts';
import { bookRows, isWrongGuess } from '../store.ts';
import { acceptedRows, answerEach, type Decided, firstByName } from './decisions.ts';
import type { Decision, Keyed, MoneyCommand, MoneyWork, VerbNeeds } from './money-work.ts';

/**
 * Decides on what this server remembers and writes the set in one trip, in which the database compares it with what is
 * so. Null, and nothing has happened, when it is not known or not so, or when one is refused: that is not compared.
 */
export async function executeByHeart<Command extends MoneyCommand, Facts, Row>(
  { db, givenTime, remembered }: VerbNeeds,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
): Promise<Decision<Row>[] | null> {
  const first = firstByName(keyed);
  const commands = keyed.map(({ command }) => command);
  const given = givenTime();
  const now = given ?? remembered.now();
  const facts = work.byHeart?.factsFor(commands);
  const recalled = remembered.recall(commands.flatMap((command) => work.byHeart?.accountsOf(command) ?? []));
  if (!work.byHeart || !facts || !recalled || !now) return null;
  const book = new Book(recalled.accounts);
  const answers = new Map<string, Decision<Row>>();
  const decided: Decided<Row>[] = [];
  for (const each of first.values()) {
    const decision = work.decide({ command: each.command, facts, book, now });
    if ('refused' in decision) return null;
    decided.push({ keyed: each, decision });
    answers.set(each.name, decision);
  }
  const posted = book.take();
  const rows = bookRows(posted);
  const { statements } = acceptedRows(work, decided, now);
  // Behind the locks of the accounts, as whoever refuses a key has them until the refusal is there to be seen.
  const keysAreNew = demandNewKeys([...first.values()], now, given);
  const demanded = work.byHeart.demand(facts);
  try {
    await remembered.writing(async (leave) => {
      leave(posted.accounts);
      await recalled.over();
      await writeAtOnce(db, [...demanded, ...rows.first, keysAreNew, ...statements, ...rows.last]);
    });
  } catch (error) {
    remembered.doubt();
    if (!isWrongGuess(error as Error)) throw error;
    return null;
  }
  return answerEach(keyed, (name) => first.get(name)?.bodySha256, answers);
}
