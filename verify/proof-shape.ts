import type { ChainLine } from './chain.ts';
import { recordCode } from './chain.ts';
import type { Piece } from './liabilities.ts';
import { momentOf, signedOf, type Wrong, wholeOf } from './plain.ts';
import type { Terms } from './terms.ts';

/** What 'Save my proof' saves: everything that is needed to check it without asking anyone. */
export interface ProofFile {
  format: 'tallystick/proof/v1';
  saved: string;
  vkey: string;
  witnesses: string[];
  /** The head of the log, with all its signatures. */
  checkpoint: string;
  /** The head that was known here before, and the proof that the log still begins with it. */
  known: { checkpoint: string; consistency: string[] } | null;
  /** The statement of the books, its place in the log and the proof of that; null before the first. */
  entry: { place: number; text: string; inclusion: string[] } | null;
  /** Null when the house shows no place in the total. */
  liabilities: { secret: string; pieces: Piece[] } | null;
  accounts: Record<AccountKind, AccountRecord>;
  investments: Terms[];
}

export const accountKinds = ['wallet', 'invested', 'withdrawing'] as const;
type AccountKind = (typeof accountKinds)[number];

interface AccountRecord {
  /** Null as long as nothing was ever posted to it. */
  account: string | null;
  /** How far it was known here before. */
  known: { seq: number; hash: string } | null;
  lines: ChainLine[];
}

const format = 'tallystick/proof/v1';
const charactersMax = 100_000_000;

class ShapeWrong extends Error {}
const bad = (where: string): never => {
  throw new ShapeWrong(`The file is not a proof: ${where} is not as it must be.`);
};

type Fields = Record<string, unknown>;

/** An object with exactly these fields. */
function fields(value: unknown, where: string, names: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad(where);
  const found = Object.keys(value);
  if (found.length !== names.length || !names.every((name) => found.includes(name))) return bad(where);
  return value as Fields;
}

const text = (value: unknown, where: string, max = 100_000): string =>
  typeof value === 'string' && value.length <= max && value.isWellFormed() ? value : bad(where);
const list = (value: unknown, where: string, max = 10_000_000): unknown[] =>
  Array.isArray(value) && value.length <= max ? value : bad(where);
const count = (value: unknown, where: string): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : bad(where);
const hash = (value: unknown, where: string): string => {
  const found = text(value, where);
  return /^[0-9a-f]{64}$/.test(found) ? found : bad(where);
};
const hashes = (value: unknown, where: string): string[] =>
  list(value, where, 64).map((each) => hash(each, where));
const moment = (value: unknown, where: string): string => {
  const found = text(value, where);
  return momentOf(found) === null ? bad(where) : found;
};
const cents = (value: unknown, where: string): bigint => wholeOf(text(value, where)) ?? bad(where);
const signed = (value: unknown, where: string): bigint => signedOf(text(value, where)) ?? bad(where);
const orNull = <Found>(value: unknown, read: (value: unknown) => Found): Found | null =>
  value === null ? null : read(value);
const amounts = (value: unknown, where: string): string[] =>
  list(value, where, 4).map((each) => String(cents(each, where)));

function lineOf(value: unknown, where: string): ChainLine {
  const names = ['seq', 'at', 'transactionid', 'fundingtype', 'amount', 'balanceafter', 'hash'];
  const line = fields(value, where, names);
  const found = hash(line.hash, where);
  return {
    seq: count(line.seq, where),
    at: moment(line.at, where),
    transactionid: text(line.transactionid, where, 64),
    fundingtype: text(line.fundingtype, where, 1000),
    amountCents: signed(line.amount, where),
    balanceAfterCents: signed(line.balanceafter, where),
    hash: found,
    recordcode: recordCode(found),
  };
}

function accountOf(value: unknown, kind: AccountKind): AccountRecord {
  const where = `the account ${kind}`;
  const account = fields(value, where, ['account', 'known', 'entries']);
  return {
    account: orNull(account.account, (id) => text(id, where, 64)),
    known: orNull(account.known, (link) => {
      const { seq, hash: head } = fields(link, where, ['seq', 'hash']);
      return { seq: count(seq, where), hash: hash(head, where) };
    }),
    lines: list(account.entries, where).map((line, at) => lineOf(line, `entry ${at + 1} of ${where}`)),
  };
}

function termsOf(value: unknown, at: number): Terms {
  const where = `investment ${at + 1}`;
  const names = [
    'transactionid',
    'plan',
    'amount',
    'points',
    'days',
    'profit',
    'openedat',
    'maturesat',
    'settledat',
  ];
  const terms = fields(value, where, names);
  return {
    transactionid: text(terms.transactionid, where, 64),
    plan: text(terms.plan, where, 1000),
    amountCents: cents(terms.amount, where),
    points: count(terms.points, where),
    days: count(terms.days, where) || bad(where),
    profitCents: cents(terms.profit, where),
    openedAt: moment(terms.openedat, where),
    maturesAt: moment(terms.maturesat, where),
    settledAt: orNull(terms.settledat, (settled) => moment(settled, where)),
  };
}

function pieceOf(value: unknown, at: number): Piece {
  const where = `piece ${at + 1} of the total`;
  const piece = fields(value, where, ['index', 'amounts', 'path']);
  return {
    index: count(piece.index, where),
    amounts: amounts(piece.amounts, where),
    path: list(piece.path, where, 64).map((step) => {
      const found = fields(step, where, ['hash', 'amounts']);
      return { hash: hash(found.hash, where), amounts: amounts(found.amounts, where) };
    }),
  };
}

function fileOf(value: unknown): ProofFile {
  const names = ['format', 'saved', 'vkey', 'witnesses', 'checkpoint', 'known', 'entry', 'liabilities'];
  const file = fields(value, 'its outermost part', [...names, 'accounts', 'investments']);
  if (file.format !== format) bad('its format');
  const accounts = fields(file.accounts, 'accounts', accountKinds);
  return {
    format,
    saved: moment(file.saved, 'the time it was saved'),
    vkey: text(file.vkey, 'the key of the log'),
    witnesses: list(file.witnesses, 'the list of witnesses', 64).map((key) =>
      text(key, 'the key of a witness'),
    ),
    checkpoint: text(file.checkpoint, 'the head of the log'),
    known: orNull(file.known, (known) => {
      const where = 'the head that was known before';
      const found = fields(known, where, ['checkpoint', 'consistency']);
      return { checkpoint: text(found.checkpoint, where), consistency: hashes(found.consistency, where) };
    }),
    entry: orNull(file.entry, (entry) => {
      const where = 'the statement of the books';
      const found = fields(entry, where, ['place', 'text', 'inclusion']);
      return {
        place: count(found.place, where),
        text: text(found.text, where),
        inclusion: hashes(found.inclusion, where),
      };
    }),
    liabilities: orNull(file.liabilities, (liabilities) => {
      const where = 'the place in the total';
      const found = fields(liabilities, where, ['secret', 'pieces']);
      return { secret: hash(found.secret, where), pieces: list(found.pieces, where, 10_000).map(pieceOf) };
    }),
    accounts: {
      wallet: accountOf(accounts.wallet, 'wallet'),
      invested: accountOf(accounts.invested, 'invested'),
      withdrawing: accountOf(accounts.withdrawing, 'withdrawing'),
    },
    investments: list(file.investments, 'the list of investments').map(termsOf),
  };
}

/** Reads the text of a file. What is not exactly as documented is no proof. */
export function readProofFile(json: string): ProofFile | Wrong {
  if (json.length > charactersMax) return { wrong: 'The file is too long to be a proof.' };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { wrong: 'The file is not a proof: it is no JSON.' };
  }
  try {
    return fileOf(value);
  } catch (error) {
    if (error instanceof ShapeWrong) return { wrong: error.message };
    throw error;
  }
}

/** The text of the file. */
export function writeProofFile({ accounts, investments, ...file }: ProofFile): string {
  const saved = accountKinds.map((kind) => {
    const { account, known, lines } = accounts[kind];
    return [kind, { account, known, entries: lines.map(lineToJson) }] as const;
  });
  const whole = { ...file, accounts: Object.fromEntries(saved), investments: investments.map(termsToJson) };
  return `${JSON.stringify(whole, null, 1)}\n`;
}

const lineToJson = (line: ChainLine) => ({
  seq: line.seq,
  at: line.at,
  transactionid: line.transactionid,
  fundingtype: line.fundingtype,
  amount: String(line.amountCents),
  balanceafter: String(line.balanceAfterCents),
  hash: line.hash,
});

const termsToJson = (terms: Terms) => ({
  transactionid: terms.transactionid,
  plan: terms.plan,
  amount: String(terms.amountCents),
  points: terms.points,
  days: terms.days,
  profit: String(terms.profitCents),
  openedat: terms.openedAt,
  maturesat: terms.maturesAt,
  settledat: terms.settledAt,
});
