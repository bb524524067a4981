import { describe, expect, it } from 'vitest';
import { refuse } from '../../../platform/app-error.ts';
import { Book, genesisHash, movement } from '../rules.ts';
import { acceptedRows, answerEach, decide, firstByName } from './decisions.ts';
import type { BorneKey } from './key-rules.ts';
import type { Decision, Keyed, MoneyCommand, MoneyWork } from './money-work.ts';

const keyed = (name: string, bodySha256: string, command = name) => ({
  scope: 'someone',
  key: name,
  name,
  movementId: name,
  bodySha256,
  command,
});
const short = refuse('insufficient_funds', 'Your wallet does not hold that much.');

it('of commands with the same key the first is executed', () => {
  const all = [keyed('a', '11', 'first'), keyed('b', '22'), keyed('a', '11', 'again')];
  expect([...firstByName(all)].map(([name, { command }]) => [name, command])).toEqual([
    ['a', 'first'],
    ['b', 'b'],
  ]);
});

describe('each caller', () => {
  const answers = new Map<string, Decision<string>>([
    ['a', { row: 'done' }],
    ['b', short],
  ]);
  const bodies = new Map([
    ['a', '11'],
    ['b', '22'],
    ['c', '33'],
  ]);
  const answered = (...all: ReturnType<typeof keyed>[]) =>
    answerEach(all, (name) => bodies.get(name), answers);

  it('gets the answer to its key, accepted or refused, and again when it repeats itself', () => {
    expect(answered(keyed('b', '22'), keyed('a', '11'), keyed('a', '11'))).toEqual([
      short,
      { row: 'done' },
      { row: 'done' },
    ]);
  });
  it('who used a key for something else is refused and learns nothing of it', () => {
    const reused = refuse('key_reused', 'This Idempotency-Key was used for another request.');
    expect(answered(keyed('a', '99'))).toEqual([reused]);
  });
  it('is never left without an answer', () => {
    expect(() => answered(keyed('c', '33'))).toThrow('a command was left without an answer');
  });
});

describe('what accepted commands leave behind', () => {
  type Work = MoneyWork<MoneyCommand, unknown, { id: string; cents: bigint }>;
  const work = {} as Work;
  const now = new Date(0);
  const decided = [
    { keyed: { scope: 's', key: 'k1', bodySha256: '11' }, decision: { row: { id: 'one', cents: 5n } } },
    { keyed: { scope: 's', key: 'k2', bodySha256: '22' }, decision: short },
  ];
  /** What is written with the keys, as far as it can be read. */
  const keptBy = (some: Work) => {
    const [commands] = acceptedRows(some, decided, now).statements;
    return commands && 'rows' in commands ? commands.rows.toString('latin1') : '';
  };

  it('is a row each, the key with its answer, and nothing of what was refused', () => {
    const { rows, statements } = acceptedRows(work, decided, now);
    expect([rows, statements.length]).toEqual([[{ id: 'one', cents: 5n }], 1]);
    expect(keptBy(work)).toContain('{"row":{"id":"one","cents":{"$bigint":"5"}}}');
    expect(keptBy(work)).toContain('k1');
    expect(keptBy(work)).not.toContain('k2');
    expect(acceptedRows(work, decided.slice(1), now)).toEqual({ rows: [], statements: [] });
  });
  it('is no row of its own where a movement bears the key', () => {
    expect(acceptedRows({ ...work, made: { find: async () => [] } }, decided, now)).toEqual({
      rows: [{ id: 'one', cents: 5n }],
      statements: [],
    });
  });
  it('is written with what the module itself has to write', () => {
    const own = { name: 'own', text: 'select 1', values: [] };
    const { statements } = acceptedRows({ ...work, written: (rows) => rows.map(() => own) }, decided, now);
    expect(statements.slice(1)).toEqual([own]);
  });
});

describe('a command whose movement bears its key', () => {
  const wallet = { kind: 'wallet', ownerId: 'ada' } as const;
  const returns = { kind: 'returns', ownerId: null } as const;
  const [key, now] = [keyed('k1', '11'), new Date(0)];
  const fresh = { balanceCents: 0n, entryCount: 0n, head: genesisHash, lastEntryAt: null };
  const decided = (
    posts: 'with it' | 'without it' | 'nothing',
    answer: Decision<string> = { row: 'done' },
  ) => {
    const book = new Book([wallet, returns].map((account) => ({ ...account, ...fresh, id: account.kind })));
    const work = {
      made: { find: async () => [] },
      decide({ borne }: { borne: BorneKey }) {
        const postings = [
          { account: wallet, amountCents: 5n, label: 'Test' },
          { account: returns, amountCents: -5n, label: 'Test' },
        ];
        const own = { kind: 'test', at: now, postings };
        if (posts !== 'nothing') book.post(movement(posts === 'with it' ? { ...own, borne } : own));
        return answer;
      },
    } as Partial<MoneyWork<never, null, string>> as MoneyWork<never, null, string>;
    const decision = decide(work, key as Keyed<never>, { facts: null, book, now });
    return { decision, movements: book.movements };
  };

  it('has it in its movement, with what was asked for', () => {
    const { decision, movements } = decided('with it');
    expect(decision).toEqual({ row: 'done' });
    expect(movements).toMatchObject([{ id: key.movementId, bodySha256: key.bodySha256 }]);
  });
  it('is not accepted without one, or it could be done twice', () => {
    for (const posts of ['without it', 'nothing'] as const)
      expect(() => decided(posts)).toThrow('no movement bears its key');
  });
  it('needs none when it is refused', () => {
    expect(decided('nothing', short).decision).toBe(short);
  });
});
