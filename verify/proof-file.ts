import { sha256 } from '@noble/hashes/sha2.js';
import { type Amounts, amountNames, type Books, parseBooks } from './books.ts';
import { fromHex, hexOf, utf8 } from './bytes.ts';
import { balanceAt, beginningOf, followChain } from './chain.ts';
import { checkPieces } from './liabilities.ts';
import { checkConsistency, checkInclusion, leafHash } from './merkle.ts';
import { type Checkpoint, openCheckpoint } from './note.ts';
import { counted, dated, dollars, isWrong, secondOf, type Wrong } from './plain.ts';
import { accountKinds, type ProofFile } from './proof-shape.ts';
import { accruedProfit } from './terms.ts';

export { type ProofFile, readProofFile, writeProofFile } from './proof-shape.ts';

export interface Step {
  name: 'chains' | 'leaf' | 'log' | 'consistency' | 'witnesses';
  state: 'holds' | 'broken' | 'unchecked';
  /** What was found. */
  says: string;
  /** What is wrong, or why it could not be checked; null when it holds. */
  why: string | null;
}

/** Keys that the reader has from elsewhere than the file; null takes the file's word for them. */
export interface Trust {
  vkey: string | null;
  witnesses: readonly string[] | null;
}

const holds = (name: Step['name'], says: string): Step => ({ name, state: 'holds', says, why: null });
const broken = (name: Step['name'], says: string, why: string): Step => ({
  name,
  state: 'broken',
  says,
  why,
});
const unchecked = (name: Step['name'], says: string, why: string): Step => ({
  name,
  state: 'unchecked',
  says,
  why,
});

/** The address as leaves have it; a long one is there as its hash. */
export function idOf(typed: string): string {
  const id = typed.trim().toLowerCase().normalize('NFC');
  return utf8(id).length <= idBytesMax ? id : `sha256:${hexOf(sha256(utf8(id)))}`;
}
const idBytesMax = 255;

/** What is checked once and used by several steps. */
interface Facts {
  file: ProofFile;
  checkpoint: Checkpoint | Wrong;
  /** The same, with what witnesses say to it: one of theirs that is false makes the log's own no less true. */
  witnessed: Checkpoint | Wrong;
  books: Books | Wrong | null;
  mine: Amounts | Wrong;
}

/** The five steps, each by itself: where one is broken, the others still say what they can. */
export function checkProofFile(file: ProofFile, typedId: string, trust: Trust): Step[] {
  const witnesses = trust.witnesses ?? file.witnesses;
  const vkey = trust.vkey ?? file.vkey;
  const books = file.entry ? parseBooks(file.entry.text) : null;
  const facts: Facts = {
    file,
    checkpoint: openCheckpoint(file.checkpoint, vkey),
    witnessed: openCheckpoint(file.checkpoint, vkey, witnesses),
    books,
    mine: ownAmounts(file, books),
  };
  return [
    chainsStep(facts),
    leafStep(facts, idOf(typedId)),
    logStep(facts, trust.vkey === null),
    consistencyStep(facts, vkey),
    witnessesStep(facts, { witnesses, areFromFile: trust.witnesses === null }),
  ];
}

/** What the own accounts say was mine at the statement's time; without a statement, at their end. */
function ownAmounts({ accounts, investments }: ProofFile, books: Books | Wrong | null): Amounts | Wrong {
  const moment = books && !isWrong(books) ? secondOf(books.time) : null;
  const at = moment ?? Number.MAX_SAFE_INTEGER;
  const cents: bigint[] = [];
  for (const kind of accountKinds) {
    const { account, known, lines } = accounts[kind];
    if (account === null) {
      if (lines.length > 0 || known) return { wrong: `The account ${kind} was there and is gone.` };
      cents.push(0n);
      continue;
    }
    const { link, broken: found } = followChain(beginningOf(account), lines);
    if (found?.kind === 'missing') return { wrong: `Entry ${found.seq} of the account ${kind} is missing.` };
    if (found)
      return { wrong: `Entry ${found.seq} of the account ${kind} (${found.transactionid}) was altered.` };
    if (known && (link.seq < known.seq || (known.seq > 0 && lines[known.seq - 1]?.hash !== known.hash))) {
      return { wrong: `The account ${kind} is not the one that this browser knew up to entry ${known.seq}.` };
    }
    const balance = balanceAt(lines, at);
    if (isWrong(balance)) return { wrong: `The account ${kind}: ${balance.wrong}` };
    cents.push(balance.cents);
  }
  const profit = accruedProfit(investments, accounts.invested.lines, at);
  if (isWrong(profit)) return profit;
  const [wallet = 0n, invested = 0n, withdrawing = 0n] = cents;
  return [wallet, invested, profit.cents, withdrawing];
}

const listed = ([wallet, invested, profit, withdrawing]: Amounts) =>
  `${dollars(wallet)} in the wallet, ${dollars(invested)} invested, ${dollars(profit)} of profit so far and ${dollars(withdrawing)} being withdrawn`;

const entries = (count: number) => counted(count, 'entry', 'entries');
const timeOf = ({ time }: Books) => dated(secondOf(time) ?? Number.NaN);

function chainsStep({ file, books, mine }: Facts): Step {
  const count = accountKinds.reduce((sum, kind) => sum + file.accounts[kind].lines.length, 0);
  if (isWrong(mine)) return broken('chains', 'Your own entries do not follow from one another.', mine.wrong);
  const when = books && !isWrong(books) ? `On ${timeOf(books)} you had` : 'You have';
  return holds('chains', `All ${entries(count)} of your accounts were recomputed. ${when} ${listed(mine)}.`);
}

function leafStep({ file, checkpoint, books, mine }: Facts, id: string): Step {
  if (!books) {
    return unchecked(
      'leaf',
      'No statement of the books has been made yet.',
      'There is no total to be found in.',
    );
  }
  if (isWrong(books))
    return broken(
      'leaf',
      'Your money could not be looked for: the statement is not as it must be.',
      books.wrong,
    );
  if (!file.liabilities) return leftOut(books, mine);
  const origin = isWrong(checkpoint) ? (file.vkey.split('+')[0] ?? '') : checkpoint.origin;
  const found = checkPieces({ books, origin, id, ...file.liabilities });
  if (isWrong(found)) {
    return broken('leaf', `Your money was not found in the total of statement ${books.number}.`, found.wrong);
  }
  if (isWrong(mine)) {
    const why = 'Your own entries do not follow from one another, so there is nothing to compare it with.';
    return unchecked('leaf', `Statement ${books.number} counts ${listed(found.amounts)} as yours.`, why);
  }
  const other = amountNames.findIndex((_, kind) => found.amounts[kind] !== mine[kind]);
  if (other >= 0) {
    const [counted, own] = [dollars(found.amounts[other] ?? 0n), dollars(mine[other] ?? 0n)];
    const why = `${amountNames[other]}: the total counts ${counted}, your own entries come to ${own}.`;
    return broken('leaf', 'The total counts you with another amount than your own record.', why);
  }
  return holds(
    'leaf',
    `Statement ${books.number} counts ${listed(mine)}, to the cent what your own entries say.`,
  );
}

/** No place in the total is right for who had nothing then, and for nobody else. */
function leftOut(books: Books, mine: Amounts | Wrong): Step {
  if (!isWrong(mine) && mine.every((cents) => cents === 0n)) {
    return unchecked(
      'leaf',
      `Nothing of yours was looked for in statement ${books.number}.`,
      `On ${timeOf(books)} nothing was owed to you.`,
    );
  }
  const had = isWrong(mine) ? 'your entries are broken' : `you had ${listed(mine)}`;
  return broken(
    'leaf',
    `Statement ${books.number} leaves you out.`,
    `On ${timeOf(books)} ${had}, and no place in the total is shown for it.`,
  );
}

function hashesOf(hexes: readonly string[]): Uint8Array[] {
  return hexes.map((hex) => fromHex(hex) ?? new Uint8Array());
}

/** Whoever makes up a file puts a key of their own into it: that has to be said where it is believed. */
function logStep({ file: { entry }, checkpoint, books }: Facts, isKeyFromFile: boolean): Step {
  if (isWrong(checkpoint))
    return broken('log', 'The head of the log is not signed as it must be.', checkpoint.wrong);
  if (!entry || !books) {
    return unchecked(
      'log',
      `The log of ${checkpoint.origin} has ${entries(checkpoint.size)}.`,
      'No statement is in it.',
    );
  }
  if (isWrong(books)) return broken('log', 'The statement of the books is not as it must be.', books.wrong);
  const { size, root, origin } = checkpoint;
  const leaf = leafHash(utf8(entry.text));
  if (!checkInclusion({ index: entry.place, size, root, leaf, proof: hashesOf(entry.inclusion) })) {
    return broken(
      'log',
      `Statement ${books.number} is not in the log.`,
      `Its text does not lead to the root that was signed for ${entries(size)}: the log tells others something else.`,
    );
  }
  const source = isKeyFromFile ? ' Its key is the one in the file: compare it with one from elsewhere.' : '';
  return holds(
    'log',
    `Statement ${books.number} is entry ${entry.place + 1} of ${size} in the log of ${origin}.${source}`,
  );
}

function consistencyStep({ file: { known }, checkpoint }: Facts, vkey: string): Step {
  if (isWrong(checkpoint)) {
    return broken('consistency', 'The head of the log is not signed as it must be.', checkpoint.wrong);
  }
  if (!known) {
    return unchecked(
      'consistency',
      `The log has ${entries(checkpoint.size)}.`,
      'No earlier head of it was known here to compare it with.',
    );
  }
  const before = openCheckpoint(known.checkpoint, vkey);
  if (isWrong(before)) {
    return unchecked(
      'consistency',
      'The head of the log that was known before cannot be read.',
      before.wrong,
    );
  }
  const [oldSize, newSize] = [before.size, checkpoint.size];
  if (oldSize > newSize) {
    return broken(
      'consistency',
      'The log is shorter than it was.',
      `It had ${entries(oldSize)} before, signed with the same key, and shows only ${newSize} now. The two signatures together are the evidence.`,
    );
  }
  const proof = hashesOf(known.consistency);
  if (!checkConsistency({ oldSize, oldRoot: before.root, newSize, newRoot: checkpoint.root, proof })) {
    return broken(
      'consistency',
      'The log was rewritten.',
      `The log of ${entries(newSize)} does not begin with the ${oldSize} that were known before. Both are signed with the same key: the two signatures together are the evidence.`,
    );
  }
  return holds(
    'consistency',
    `The log of ${entries(newSize)} begins with the ${oldSize} that were known before.`,
  );
}

function witnessesStep(
  { checkpoint, witnessed }: Facts,
  { witnesses, areFromFile }: { witnesses: readonly string[]; areFromFile: boolean },
): Step {
  if (isWrong(checkpoint)) {
    return broken('witnesses', 'The head of the log is not signed as it must be.', checkpoint.wrong);
  }
  if (isWrong(witnessed))
    return broken('witnesses', 'A witness’s signature under the log does not hold.', witnessed.wrong);
  if (witnesses.length === 0) {
    return unchecked(
      'witnesses',
      'No witness watches this log.',
      'Nobody but the house says that all are shown one log.',
    );
  }
  const { cosigned, size } = witnessed;
  if (cosigned.length === 0) {
    return unchecked(
      'witnesses',
      `${witnesses.length === 1 ? 'The witness has not' : `None of the ${witnesses.length} witnesses has`} signed the log of ${entries(size)}.`,
      'Nobody but the house says that all are shown this log. Check again in a while, and do not rely on it until then.',
    );
  }
  const who = cosigned.map(({ name, time }) => `${name} (${dated(time * 1000)})`).join(', ');
  const source = areFromFile
    ? ' Their keys are those in the file: compare them with what the witnesses publish.'
    : '';
  return holds(
    'witnesses',
    `${cosigned.length} of ${counted(witnesses.length, 'witness', 'witnesses')} signed this very log: ${who}.${source}`,
  );
}
