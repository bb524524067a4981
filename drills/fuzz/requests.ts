import type { Chance } from '../seed.ts';
import type { Operation } from './document.ts';
import { allowed, hostile, objectFor, type Seen } from './values.ts';

export interface Request {
  method: string;
  /** As it stands in the first line. */
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Who asks: the headers that say so. */
export type Credentials = Record<Operation['scope'] | 'forged', Record<string, string>>;

/** In which way a request is meant to go wrong, if it is. */
const ways = [
  ...(['allowed', 'allowed', 'allowed', 'allowed'] as const),
  ...(['one wrong', 'one wrong', 'one wrong', 'one missing', 'anything', 'no JSON', 'other type'] as const),
] as const;
type Way = (typeof ways)[number];

const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

function partOf(value: unknown): string {
  // Nothing in the place of a part is another address, and dots walk up.
  return encodeURIComponent(asText(value).slice(0, 2_000)).replace(/^\.*$/, 'x');
}

function urlOf({ path, parameters }: Operation, way: Way, chance: Chance, seen: Seen): string {
  const wrongAt = way === 'one wrong' ? chance.below(parameters.length + 1) : -1;
  const valueAt = (at: number) => {
    const { schema, name } = parameters[at] ?? { schema: {}, name: '' };
    const isWrong = at === wrongAt || (way === 'anything' && chance.below(2) === 0);
    if (isWrong) return chance.pick(hostile);
    const id = name === 'id' || name.endsWith('id') ? seen.textFor('any id', chance) : undefined;
    return (chance.below(4) > 0 && id) || allowed(schema, name, chance, seen);
  };
  let url = path;
  const query = new URLSearchParams();
  for (const [at, parameter] of parameters.entries()) {
    const value = valueAt(at);
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, () => partOf(value));
    else if (parameter.required || chance.below(3) === 0 || at === wrongAt)
      query.append(parameter.name, asText(value).slice(0, 300));
  }
  if (way === 'anything')
    query.append(chance.pick(['extra', 'page', '__proto__']), asText(chance.pick(hostile)).slice(0, 300));
  return query.size > 0 ? `${url}?${query}` : url;
}

function bodyOf({ method, body }: Operation, way: Way, chance: Chance, seen: Seen): string | undefined {
  if (method === 'GET') return undefined;
  if (way === 'no JSON')
    return chance.pick(['{', '', 'null', '[]', '"text"', '{"a":1,}', '\u0000\u0001', '{"a":'.repeat(2_000)]);
  if (way === 'anything') return JSON.stringify(chance.pick(hostile)) ?? '{}';
  if (!body) return chance.below(2) ? '{}' : undefined;
  const value = objectFor(body, chance, seen) as Record<string, unknown>;
  const names = Object.keys(body.properties ?? {});
  const name = names[chance.below(names.length)] ?? 'extra';
  if (way === 'one missing') delete value[name];
  if (way === 'one wrong') {
    const at = chance.below(8) === 0 ? chance.pick(['extra', 'isAdmin', 'constructor']) : name;
    Object.defineProperty(value, at, { value: chance.pick(hostile), enumerable: true, configurable: true });
  }
  return JSON.stringify(value);
}

const otherTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=latin1',
] as const;

/** One request to this operation: often what its schemas allow, else wrong in one way. */
export function requestTo(operation: Operation, chance: Chance, seen: Seen, who: Credentials): Request {
  const way = chance.pick(ways as unknown as [Way, ...Way[]]);
  const body = bodyOf(operation, way, chance, seen);
  const type = way === 'other type' ? chance.pick([...otherTypes]) : 'application/json';
  const other = chance.pick<keyof Credentials>(['anyone', 'investor', 'operator', 'forged']);
  const address = [10, chance.below(250), chance.below(250), 1 + chance.below(250)].join('.');
  return {
    method: operation.method,
    url: urlOf(operation, way, chance, seen),
    headers: {
      'x-forwarded-for': address,
      ...who[chance.below(6) > 0 ? operation.scope : other],
      ...(body !== undefined && { 'content-type': type }),
      ...(operation.method !== 'GET' && chance.below(2) > 0 && { 'idempotency-key': String(chance.next()) }),
    },
    body,
  };
}
