import { writeAtOnce } from '../../../platform/postgres/transactions/read-then-write.ts';
import { demandNewKeys } from '../command-store.ts';
import { Book } from '../rules.ts';
import { bookRows, isWrongGuess, readAccounts, readChanged } from '../store.ts';
import { acceptedRows, answerEach, type Decided, decide, firstByName } from './decisions.ts';
import type { Decision, Keyed, MoneyCommand, MoneyWork, VerbNeeds } from './money-work.ts';
import { whereItCan } from './remembered.ts';

/**
 * Decides on what this server remembers, or has just read, and writes the set in one trip, in which the database compares it
 * with what is so. Null, and nothing has happened, when it is not known or not so, when one is refused, as that is not
 * compared, or when the house's accounts are posted to. Who was wrong reads the accounts for a while, and who was wrong even
 * then locks them: nobody tries for long.
 */
export async function executeByHeart<Command extends MoneyCommand, Facts, Row>(
  needs: VerbNeeds,
  work: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
): Promise<Decision<Row>[] | null> {
  const { remembered } = needs;
  while (!remembered.isInDoubt('read')) {
    const guess = remembered.isInDoubt('remembered') ? 'read' : 'remembered';
    const answers = await tryByHeart(needs, work, keyed);
    if (answers !== 'wrong') return answers;
    remembered.doubt(guess);
  }
  return null;
}

async function tryByHeart<Command extends MoneyCommand, Facts, Row>(
  { db, givenTime, remembered }: VerbNeeds,
  { byHeart, ...work }: MoneyWork<Command, Facts, Row>,
  keyed: Keyed<Command>[],
): Promise<Decision<Row>[] | null | 'wrong'> {
  if (!byHeart) return null;
  const first = firstByName(keyed);
  const commands = keyed.map(({ command }) => command);
  const refs = commands.flatMap(byHeart.accountsOf);
  const given = givenTime();
  const clock = () => given ?? remembered.now();
  const unknown = remembered.unknown(refs);
  const doubtful = remembered.doubtful(refs);
  if (unknown.length + doubtful.length > 0) {
    if (!byHeart.factsFor(commands) || !clock()) return null;
    const [read, changed] = await Promise.all([
      unknown.length > 0 ? readAccounts(db, unknown) : [],
      doubtful.length > 0 ? readChanged(db, doubtful) : [],
    ]);
    remembered.learn([...read, ...changed]);
    if (changed.length > 0) remembered.doubt('remembered');
  }
  const now = clock();
  const facts = byHeart.factsFor(commands);
  const recalled = remembered.recall(refs);
  if (!facts || !recalled || !now) return null;
  const book = new Book(recalled.accounts);
  const answers = new Map<string, Decision<Row>>();
  const decided: Decided<Row>[] = [];
  for (const each of first.values()) {
    const decision = whereItCan(() => decide(work, each, { facts, book, now }));
    if (decision === null || 'refused' in decision) return null;
    decided.push({ keyed: each, decision });
    answers.set(each.name, decision);
  }
  const posted = book.take();
  const { owned, journal, house } = bookRows(posted);
  // Whoever settles waits in this process for who writes those, with investors' accounts locked: that may not be in one trip.
  if (house.length > 0) return null;
  const { statements } = acceptedRows(work, decided, now);
  // Behind the locks of the accounts, as whoever refuses a key has them until the refusal is there to be seen.
  const keysAreNew = demandNewKeys([...first.values()], now, given);
  const demanded = byHeart.demand(facts);
  try {
    await remembered.writing(async (leave) => {
      leave(posted.accounts);
      await recalled.over();
      await writeAtOnce(db, [...demanded, ...owned, ...journal, keysAreNew, ...statements]);
    });
  } catch (error) {
    if (isWrongGuess(error as Error)) return 'wrong';
    // A key that was used, mostly, which no reading of accounts tells beforehand.
    remembered.doubt('read');
    throw error;
  }
  return answerEach(keyed, (name) => first.get(name)?.bodySha256, answers);
}
