import { type Books, parseBooks } from './books.ts';
import { countOf, isWrong, secondOf, signedOf, type Wrong, wholeOf } from './plain.ts';

/** What the log tells, entry by entry, and what must follow what. */

export interface LogEntry {
  kind:
    | 'plan/v1'
    | 'plan/v2'
    | 'method/v1'
    | 'key/v1'
    | 'address/v1'
    | 'correction/v1'
    | 'freeze/v1'
    | 'audit/v1'
    | 'books/v1';
  /** Its lines by their names; of a statement only those that stand once. */
  lines: ReadonlyMap<string, string>;
  books: Books | null;
}

type Shape = (value: string) => boolean;

const matching =
  (shape: RegExp): Shape =>
  (value) =>
    shape.test(value);
const whole: Shape = (value) => wholeOf(value) !== null;
const count: Shape = (value) => countOf(value) !== null;
const positive: Shape = (value) => (countOf(value) ?? 0) > 0;
const signed: Shape = (value) => (signedOf(value) ?? 0n) !== 0n;
const second: Shape = (value) => secondOf(value) !== null;
const uuid = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const hash = matching(/^[0-9a-f]{64}$/);
const network = matching(/^[a-z][a-z0-9-]{0,31}$/);
const onOff = matching(/^(on|off)$/);
const word = matching(/^[!-~]{1,200}$/);
const text: Shape = (value) => value === value.trim() && value.length > 0;

/** What an address has signed; a chain whose signatures do not tell the key has one line more. */
const signedLines = (scheme: RegExp, signature: RegExp): [string, Shape][] => [
  ['time', second],
  ['origin', word],
  ['network', network],
  ['address', word],
  ['message', matching(/^[ -~]{1,600}$/)],
  ['scheme', matching(scheme)],
  ['signature', matching(signature)],
];

const planTerms: [string, Shape][] = [
  ['time', second],
  ['plan', uuid],
  ['version', positive],
  ['name', text],
  ['from', whole],
  ['to', whole],
  ['days', positive],
  ['points', count],
];
const yesNo = matching(/^(yes|no)$/);
/** Hundredths of a percent of a whole. */
const share: Shape = (value) => (countOf(value) ?? Number.POSITIVE_INFINITY) <= 10_000;

/** The lines of each kind, in their order. */
const grammars: Record<Exclude<LogEntry['kind'], 'books/v1'>, [string, Shape][][]> = {
  'plan/v1': [[...planTerms, ['state', onOff]]],
  'plan/v2': [
    [...planTerms, ['reinvest', yesNo], ['state', onOff]],
    [
      ...planTerms,
      ['reinvest', yesNo],
      ['leave', positive],
      ['keeps', share],
      ['fee', share],
      ['state', onOff],
    ],
  ],
  'method/v1': [
    [
      ['time', second],
      ['method', uuid],
      ['side', matching(/^in$/)],
      ['name', text],
      ['network', network],
      ['source', matching(/^(fixed|derived|tagged)$/)],
      ['address', word],
      ['state', onOff],
    ],
    [
      ['time', second],
      ['method', uuid],
      ['side', matching(/^out$/)],
      ['name', text],
      ['network', network],
      ['state', onOff],
    ],
  ],
  'key/v1': [
    [
      ['time', second],
      ['method', uuid],
      ['network', network],
      ['sha256', hash],
      ['path', matching(/^m(\/[0-9]+'?)*$/)],
      ['state', onOff],
    ],
  ],
  'address/v1': [
    signedLines(/^bip(137|322)$/, /^[A-Za-z0-9+/]{80,590}={0,2}$/),
    signedLines(/^eip191$/, /^0x[0-9a-f]{130}$/),
    [...signedLines(/^xrp$/, /^([0-9A-F]{2}){60,80}$/), ['publickey', matching(/^(02|03|ED)[0-9A-F]{64}$/)]],
  ],
  'correction/v1': [
    [
      ['time', second],
      ['transactionid', matching(/^TS-[0-9A-Z]{4}-[0-9A-Z]{4}$/)],
      ['amount', signed],
    ],
  ],
  'freeze/v1': [
    [
      ['time', second],
      ['scope', matching(/^(books|investor)$/)],
      ['state', onOff],
    ],
  ],
  'audit/v1': [
    [
      ['time', second],
      ['entries', count],
      ['head', hash],
    ],
  ],
};

const isKnown = (kind: string): kind is keyof typeof grammars => Object.hasOwn(grammars, kind);

/** Reads an entry of any kind. What is not in the grammar is wrong: nobody could tell what it says. */
export function parseEntry(entry: string): LogEntry | Wrong {
  const [kind = '', ...rest] = entry.split('\n');
  if (kind === 'books/v1') {
    const books = parseBooks(entry);
    if (isWrong(books)) return books;
    return { kind, lines: new Map([['time', books.time]]), books };
  }
  if (!isKnown(kind))
    return { wrong: `There is no kind of entry that is called ${JSON.stringify(kind.slice(0, 40))}.` };
  if (rest.pop() !== '' || !entry.isWellFormed() || entry !== entry.normalize('NFC')) {
    return { wrong: `It is not written as an entry of the kind ${kind} must be.` };
  }
  const lines = rest.map((line): [string, string] => {
    const space = line.indexOf(' ');
    return [line.slice(0, Math.max(space, 0)), line.slice(space + 1)];
  });
  const isShaped = (grammar: [string, Shape][]) =>
    grammar.length === lines.length &&
    grammar.every(([name, shape], at) => lines[at]?.[0] === name && shape(lines[at]?.[1] ?? ''));
  if (!grammars[kind].some(isShaped)) return { wrong: `Its lines are not those of the kind ${kind}.` };
  return { kind, lines: new Map(lines), books: null };
}

/** What the entries so far say, as far as the next one must fit to it. */
export interface Told {
  statement: { number: number; time: string } | null;
  /** By plan: the newest version, and what it says apart from when and whether it is offered. */
  plans: Map<string, { version: number; terms: string }>;
  auditEntries: number;
}

export const nothingTold = (): Told => ({ statement: null, plans: new Map(), auditEntries: 0 });

/** Takes the next entry in; says why it cannot come next. */
export function tellNext(told: Told, { kind, lines, books }: LogEntry): Wrong | null {
  if (books) {
    const { number, time } = books;
    const due = (told.statement?.number ?? 0) + 1;
    if (number !== due) return { wrong: `It is statement ${number} of the books, and ${due} comes next.` };
    if (told.statement && time <= told.statement.time) {
      return { wrong: `Statement ${number} of the books is not later than the one before it.` };
    }
    told.statement = { number, time };
  }
  if (kind === 'plan/v1' || kind === 'plan/v2') return tellPlan(told, lines);
  if (kind === 'audit/v1') {
    const entries = countOf(lines.get('entries') ?? '') ?? 0;
    if (entries < told.auditEntries) {
      return { wrong: `The audit log has ${entries} entries and had ${told.auditEntries} before.` };
    }
    told.auditEntries = entries;
  }
  return null;
}

/** With what the first form of the entry, which does not have the line, stands for. */
const termLines = [
  ['name'],
  ['from'],
  ['to'],
  ['days'],
  ['points'],
  ['reinvest', 'no'],
  ['leave'],
  ['keeps'],
  ['fee'],
] as const;

function tellPlan({ plans }: Told, lines: LogEntry['lines']): Wrong | null {
  const plan = lines.get('plan') ?? '';
  const version = countOf(lines.get('version') ?? '') ?? 0;
  const terms = termLines.map(([name = '', without]) => lines.get(name) ?? without).join('\n');
  const before = plans.get(plan);
  const next = (before?.version ?? 0) + 1;
  if (before?.version === version) {
    return before.terms === terms
      ? null
      : { wrong: `Version ${version} of the plan ${lines.get('name')} says something else than before.` };
  }
  if (version !== next) {
    return { wrong: `It is version ${version} of the plan ${lines.get('name')}, and ${next} comes next.` };
  }
  plans.set(plan, { version, terms });
  return null;
}
