import { fromHex } from './bytes.ts';
import { countOf, dollars, percent, secondOf, type Wrong, wholeOf } from './plain.ts';

/** Wallet, invested, profit so far, being withdrawn: always in this order. */
export type Amounts = [bigint, bigint, bigint, bigint];
export const amountNames = ['wallet', 'invested', 'profit', 'withdrawing'] as const;

interface Due {
  /** The Monday of a week; null for all weeks after. */
  week: string | null;
  principal: bigint;
  profit: bigint;
}

interface Held {
  network: string;
  units: bigint;
  cents: bigint | null;
  price: string | null;
  priceTime: string | null;
  height: bigint;
  readTime: string;
}

interface OnAddress {
  network: string;
  units: bigint;
  address: string;
}

/** A statement of the books: the text of one entry of the log. */
export interface Books {
  number: number;
  time: string;
  depth: number;
  root: Uint8Array;
  owed: Amounts;
  due: Due[];
  held: Held[];
  cold: OnAddress[];
  shared: OnAddress[];
  derived: { network: string; count: number; units: bigint; root: string }[];
  keys: { network: string; sha256: string }[];
  typed: { cents: bigint; time: string; method: string }[];
  /** Hundredths of a percent; null when it is not known. */
  coverage: bigint | null;
}

/** More leaves than anyone could have. */
const depthMax = 40;
const weeksMax = 13;
const weekMs = 7 * 24 * 60 * 60 * 1000;
/** The 5th of January 1970 was a Monday. */
const mondayMs = 4 * 24 * 60 * 60 * 1000;

class BooksWrong extends Error {}

function need<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new BooksWrong(`The statement ${what}.`);
  return value;
}

const matching = (text: string | undefined, shape: RegExp): string | null =>
  text !== undefined && shape.test(text) ? text : null;
const network = (text: string | undefined) => matching(text, /^[a-z][a-z0-9-]{0,31}$/);
const hash = (text: string | undefined) => matching(text, /^[0-9a-f]{64}$/);
const whole = (text: string | undefined) => wholeOf(text ?? '');
const second = (text: string | undefined) => (text !== undefined && secondOf(text) !== null ? text : null);
const decimal = (text: string | undefined) => matching(text, /^(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?$/);
/** Units are counted in the network's smallest, of which there may be more than of cents. */
const units = (text: string | undefined) =>
  /^(0|[1-9][0-9]{0,39})$/.test(text ?? '') ? BigInt(text ?? '') : null;
const word = (text: string | undefined) => matching(text, /^[!-~]{1,200}$/);

/** A field that may be a dash. */
function orDash<Value>(
  text: string | undefined,
  read: (text: string | undefined) => Value | null,
  what: string,
) {
  return text === '-' ? null : need(read(text), what);
}

function readDue(fields: string[], before: Due | undefined): Due {
  const [week, principal, profit, ...more] = fields;
  const bad = 'has a line of what is due that is not one';
  if (more.length > 0 || before?.week === null) throw new BooksWrong(`The statement ${bad}.`);
  const due = { principal: need(whole(principal), bad), profit: need(whole(profit), bad) };
  if (week === 'later') return { week: null, ...due };
  const monday = need(secondOf(`${week}T00:00:00Z`), bad);
  const follows = before === undefined || (before.week !== null && (week ?? '') > before.week);
  if ((monday - mondayMs) % weekMs !== 0 || !follows) throw new BooksWrong(`The statement ${bad}.`);
  return { week: week ?? '', ...due };
}

function readHeld(fields: string[]): Held {
  const bad = 'has a line of what is held that is not one';
  if (fields.length !== 7) throw new BooksWrong(`The statement ${bad}.`);
  const [name, amount, cents, price, priceTime, height, readTime] = fields;
  return {
    network: need(network(name), bad),
    units: need(units(amount), bad),
    cents: orDash(cents, whole, bad),
    price: orDash(price, decimal, bad),
    priceTime: orDash(priceTime, second, bad),
    height: need(whole(height), bad),
    readTime: need(second(readTime), bad),
  };
}

function readOnAddress(fields: string[]): OnAddress {
  const bad = 'has a line of an address that is not one';
  if (fields.length !== 3) throw new BooksWrong(`The statement ${bad}.`);
  const [name, amount, address] = fields;
  return {
    network: need(network(name), bad),
    units: need(units(amount), bad),
    address: need(word(address), bad),
  };
}

/** In this order; of each as many lines as there are. */
const kinds = ['due', 'held', 'cold', 'shared', 'derived', 'key', 'typed', 'coverage'];

function readRest(lines: string[]): Omit<Books, 'number' | 'time' | 'depth' | 'root' | 'owed'> {
  const rest = emptyRest();
  let [reached, isCovered] = [0, false];
  for (const line of lines) {
    const [kind = '', ...fields] = line.split(' ');
    const at = kinds.indexOf(kind);
    if (at < reached || isCovered)
      throw new BooksWrong(`The statement has a line out of its place: ${line.slice(0, 60)}`);
    reached = at;
    if (kind === 'due') rest.due.push(readDue(fields, rest.due.at(-1)));
    if (kind === 'held') rest.held.push(readHeld(fields));
    if (kind === 'cold' || kind === 'shared') rest[kind].push(readOnAddress(fields));
    if (kind === 'derived') rest.derived.push(readDerived(fields));
    if (kind === 'key') rest.keys.push(readKey(fields));
    if (kind === 'typed') rest.typed.push(readTyped(line));
    if (kind === 'coverage') {
      const text = fields.length === 1 ? fields[0] : undefined;
      rest.coverage = text === 'unknown' ? null : need(whole(text), 'does not say how much is covered');
      isCovered = true;
    }
  }
  if (rest.due.filter(({ week }) => week !== null).length > weeksMax) {
    throw new BooksWrong(`The statement tells more than ${weeksMax} weeks.`);
  }
  if (!isCovered) throw new BooksWrong('The statement does not say how much is covered.');
  return rest;
}

const emptyRest = (): Omit<Books, 'number' | 'time' | 'depth' | 'root' | 'owed'> => ({
  due: [],
  held: [],
  cold: [],
  shared: [],
  derived: [],
  keys: [],
  typed: [],
  coverage: null,
});

function readDerived(fields: string[]): Books['derived'][number] {
  const bad = 'has a line of derived addresses that is not one';
  const [name, count, amount, root, ...more] = fields;
  if (more.length > 0) throw new BooksWrong(`The statement ${bad}.`);
  return {
    network: need(network(name), bad),
    count: need(countOf(count ?? ''), bad),
    units: need(units(amount), bad),
    root: need(hash(root), bad),
  };
}

function readKey(fields: string[]): Books['keys'][number] {
  const bad = 'has a line of a key that is not one';
  if (fields.length !== 2) throw new BooksWrong(`The statement ${bad}.`);
  return { network: need(network(fields[0]), bad), sha256: need(hash(fields[1]), bad) };
}

function readTyped(line: string): Books['typed'][number] {
  const bad = 'has a line of what was typed that is not one';
  const [, cents, time, method] = /^typed (\S+) (\S+) (\S.*)$/u.exec(line) ?? [];
  if (!method || method !== method.trim()) throw new BooksWrong(`The statement ${bad}.`);
  return { cents: need(whole(cents), bad), time: need(second(time), bad), method };
}

/** The value of a line that must begin with this word. */
function fieldOf(line: string | undefined, name: string): string | undefined {
  return line?.startsWith(`${name} `) ? line.slice(name.length + 1) : undefined;
}

function readOwed(text: string | undefined): Amounts {
  const bad = 'does not say what is owed of each kind';
  const parts = (text ?? '').split(' ');
  const [wallet, invested, profit, withdrawing] = parts.map((part) => need(wholeOf(part), bad));
  if (parts.length !== 4) throw new BooksWrong(`The statement ${bad}.`);
  return [need(wallet, bad), need(invested, bad), need(profit, bad), need(withdrawing, bad)];
}

/** Reads a statement of the books. One spelling is right; every other text is none. */
export function parseBooks(text: string): Books | Wrong {
  try {
    const lines = text.split('\n');
    if (lines.pop() !== '' || lines[0] !== 'books/v1')
      throw new BooksWrong('This is no statement of the books.');
    if (!text.isWellFormed() || text !== text.normalize('NFC')) {
      throw new BooksWrong('The statement is not written in the one spelling that text has here.');
    }
    const number = need(countOf(fieldOf(lines[1], 'number') ?? ''), 'has no number');
    if (number < 1) throw new BooksWrong('The statement has no number.');
    const time = need(second(fieldOf(lines[2], 'time')), 'has no time');
    if (lines[3] !== 'unit USD-cents') throw new BooksWrong('The statement is not in cents of US dollars.');
    const depth = need(countOf(fieldOf(lines[4], 'depth') ?? ''), 'does not say how deep its tree is');
    if (depth < 1 || depth > depthMax) throw new BooksWrong(`The statement's tree cannot be ${depth} deep.`);
    const root = need(fromHex(need(hash(fieldOf(lines[5], 'root')), 'has no root')), 'has no root');
    const owed = readOwed(fieldOf(lines[6], 'owed'));
    const rest = readRest(lines.slice(7));
    checkSums({ owed, ...rest });
    return { number, time, depth, root, owed, ...rest };
  } catch (error) {
    if (error instanceof BooksWrong) return { wrong: error.message };
    throw error;
  }
}

/**
 * What is due some day is exactly what is invested, and what is covered is what the lines before come to: neither can be
 * kept back where it is known.
 */
function checkSums({
  owed,
  due,
  held,
  typed,
  coverage,
}: Pick<Books, 'owed' | 'due' | 'held' | 'typed' | 'coverage'>): void {
  const principal = due.reduce((sum, each) => sum + each.principal, 0n);
  if (principal !== owed[1]) {
    throw new BooksWrong(
      `The statement says that ${dollars(owed[1])} is invested, and that ${dollars(principal)} of it will be due.`,
    );
  }
  const told = [...held, ...typed].flatMap(({ cents }) => cents ?? []);
  const known = told.reduce((sum, cents) => sum + cents, 0n);
  const all = owed.reduce((sum, cents) => sum + cents, 0n);
  const covered = told.length === 0 || all === 0n ? null : (known * 10_000n) / all;
  if (coverage !== covered) {
    throw new BooksWrong(
      `The statement says that ${coverage === null ? 'an unknown part' : percent(coverage)} is covered; ${dollars(known)} is held and ${dollars(all)} is owed.`,
    );
  }
}
