import { formatUsd } from '@tallystick/contract/money';
import type { LogEntry } from '@tallystick/contract/proof';
import { counted, whenOf } from '../../domain/dates.ts';
import { fill, repeat } from '../../native/template.ts';
import { lineOf, partsOf, readLogText } from './log-text.ts';
import { networkName, noneIn, readAll, readNewest, readState, shownIn } from './show-part.ts';
import { coverageText } from './statement.ts';

/** Every version and every switch of a plan since the beginning. */
export async function drawPlans(place: Element): Promise<DocumentFragment> {
  const entries = await readAll('plan');
  if (entries.length === 0) return noneIn(place);
  const shown = shownIn(place);
  repeat(shown.querySelector('[data-entries]'), entries, (part, entry) => fill(part, planTexts(entry)));
  return shown;
}

export function planTexts({ place, text }: LogEntry) {
  const plan = readLogText(text);
  const value = (name: string) => lineOf(plan, name);
  const dollars = (name: string) => formatUsd(BigInt(value(name))).replace(/\.00$/, '');
  // Only the second form of the entry tells of it; the words are few, because each is fetched with the page.
  const leaving = text.includes('\nleave ')
    ? `, left from day ${value('leave')} with ${roiText(value('keeps'))} of it, fee ${roiText(value('fee'))}`
    : '';
  return {
    name: value('name'),
    version: `Version ${value('version')}`,
    state: value('state') === 'on' ? 'Open' : 'Closed',
    terms: `${dollars('from')} to ${dollars('to')}, ${counted(Number(value('days')), 'day')}, ROI ${roiText(value('points'))}${leaving}`,
    // The page has the words.
    again: text.includes('\nreinvest yes') ? '' : null,
    when: `${whenOf(value('time'))}, entry ${place + 1}`,
  };
}

const roiText = (points: string) => (coverageText(points) ?? '').replace(/\.?0+%$/, '%');

/** Where money may be sent, as the log has it now: the newest word about each method, and about its key. */
export async function drawAddresses(place: Element): Promise<DocumentFragment> {
  const [methods, keys, signatures, { origin }, books] = await Promise.all([
    readAll('method'),
    readAll('key'),
    readAll('address'),
    readState(),
    readNewest('books'),
  ]);
  const signatureOf = signaturesIn(signatures, origin);
  const shownMethods = newestOf(methods).filter(({ entry }) => lineOf(entry, 'side') === 'in');
  if (shownMethods.length === 0) return noneIn(place);
  const keyOf = new Map(newestOf(keys).map(({ method, entry }) => [method, entry]));
  const ways = shownMethods.map(({ method, entry, place: at }) => {
    const key = keyOf.get(method);
    const [source, address] = [lineOf(entry, 'source'), lineOf(entry, 'address')];
    const network = lineOf(entry, 'network');
    return {
      ...(signatureOf(network, address) ?? (source === 'derived' ? none : unsigned)),
      name: lineOf(entry, 'name'),
      network: networkName(network),
      state: lineOf(entry, 'state') === 'on' ? 'In use' : 'Switched off',
      ...isOf(source),
      address: address === '-' ? null : address,
      key: key && lineOf(key, 'state') === 'on' ? lineOf(key, 'sha256') : null,
      path: key ? lineOf(key, 'path') : null,
      when: `${whenOf(lineOf(entry, 'time'))}, entry ${at + 1}`,
    };
  });
  const shown = shownIn(place);
  repeat(shown.querySelector('[data-entries]'), [...ways, ...coldTexts(books, signatureOf)], fill);
  return shown;
}

/** The page has a text for each kind of address. */
const isOf = (kind: string) => ({ fixed: null, tagged: null, derived: null, cold: null, [kind]: '' });

/** Those of our own addresses that nobody pays to, and that have signed; the statement has them all. */
function coldTexts(books: LogEntry | undefined, signatureOf: ReturnType<typeof signaturesIn>) {
  if (!books) return [];
  return partsOf(readLogText(books.text), 'cold', 3).flatMap(([network = '', , address = '']) => {
    const signature = signatureOf(network, address);
    if (!signature) return [];
    const name = { name: 'Cold address', network: networkName(network), state: 'Not for payments' };
    return [{ ...signature, ...name, ...isOf('cold'), key: null, path: null, when: null }];
  });
}

function newestOf(entries: readonly LogEntry[]) {
  const newest = new Map<string, { method: string; entry: ReturnType<typeof readLogText>; place: number }>();
  for (const { text, place } of entries) {
    const entry = readLogText(text);
    const method = lineOf(entry, 'method');
    if (!newest.has(method)) newest.set(method, { method, entry, place });
  }
  return [...newest.values()];
}

/** Capitals are no part of an address where it may be written with others; elsewhere no two differ in these alone. */
const placeOf = (network: string, address: string) => `${network} ${address.toLowerCase()}`;

/** What of the page's texts is shown: null for what is not. */
type Shown = Record<string, string | null>;

const none: Shown = { signed: null, unsigned: null };
const unsigned: Shown = { ...none, unsigned: '' };
type Lines = Record<'time' | 'origin' | 'network' | 'address' | 'scheme', string>;
const signed: Shown = { ...none, publickey: null, bip137: null, bip322: null, eip191: null, xrp: null };

/** What addresses have signed under the log's present name: one that it had before does not count. */
export function signaturesIn(entries: readonly LogEntry[], origin: string) {
  const known = new Map<string, Shown>();
  for (const { place, text } of entries) {
    const lines = Object.fromEntries(readLogText(text).lines) as Lines;
    if (lines.origin !== origin) continue;
    const when = `${whenOf(lines.time)}, entry ${place + 1}`;
    known.set(placeOf(lines.network, lines.address), {
      ...signed,
      ...lines,
      [lines.scheme]: '',
      signed: when,
    });
  }
  return (network: string, address: string) => known.get(placeOf(network, address));
}
