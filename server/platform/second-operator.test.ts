import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestClock } from '../testing/clock.ts';
import { openDatabase } from '../testing/postgres/opened.ts';
import { AppError, refuse, who } from './app-error.ts';
import type { Actor } from './audit/audit.ts';
import { inTransaction } from './postgres/db.ts';
import {
  createDecision,
  createProposals,
  departedAmong,
  firstThatCounts,
  isFirstDeparted,
  nameOf,
  refuseAgreement,
  refuseLate,
  refuseTwice,
  stillWaiting,
} from './second-operator.ts';

const words = { unknown: 'There is no such thing.', decided: () => 'This thing was decided' };
interface Thing {
  askedBy: string;
  decidedBy: string | null;
  decidedAt: Date | null;
}
const asked: Thing = { askedBy: 'ann', decidedBy: null, decidedAt: null };
const ann: Actor = { kind: 'operator', id: 'ann' };
const ben: Actor = { kind: 'operator', id: 'ben' };

it('an actor is written down as a person; what no person did, by its kind', () => {
  expect([nameOf(ann), nameOf({ kind: 'system' })]).toEqual(['ann', 'system']);
});

it('who comes late is told who was first', () => {
  expect(refuseLate('This was paid', 'ann')).toEqual(
    refuse('already_decided', `This was paid already, by ${who}.`, { by: 'ann' }),
  );
});

it('what is decided once waits until then', () => {
  expect(stillWaiting(asked, words)).toEqual({ row: asked });
  for (const nothing of [null, undefined])
    expect(stillWaiting(nothing, words)).toEqual(refuse('not_found', 'There is no such thing.'));
  expect(stillWaiting({ ...asked, decidedBy: 'ben', decidedAt: new Date(0) }, words)).toEqual(
    refuseLate('This thing was decided', 'ben'),
  );
});

it('who asked cannot agree, and nobody can to what somebody asked for who is gone', () => {
  expect(refuseAgreement(asked, 'ann', new Set())).toEqual(
    refuse('second_operator_needed', 'Another operator has to agree to what you asked for.'),
  );
  expect(refuseAgreement(asked, 'ben', new Set(['cat']))).toBeNull();
  expect(refuseAgreement(asked, 'ben', new Set(['ann']))).toEqual(
    refuse('second_operator_needed', `${who} is an operator no more. Discard this and ask for it yourself.`, {
      by: 'ann',
    }),
  );
});

it('where two have to do the same, nobody does it twice', () => {
  expect([refuseTwice(null, 'ann', 'approved'), refuseTwice('ben', 'ann', 'approved')]).toEqual([null, null]);
  expect(refuseTwice('ann', 'ann', 'approved')).toEqual(
    refuse('second_operator_needed', 'You have approved this. Another operator has to, as well.'),
  );
  expect(refuseTwice('ann', 'ann', 'confirmed')).toEqual(
    refuse('second_operator_needed', 'You have confirmed this. Another operator has to, as well.'),
  );
});

it('the first of two counts as long as they are an operator', () => {
  const gone = new Set(['cat']);
  expect([isFirstDeparted('cat', gone), isFirstDeparted('ann', gone)]).toEqual([true, false]);
  expect(isFirstDeparted(null, gone)).toBe(false);
});

describe('in the database', async () => {
  const { db, close } = await openDatabase();
  afterAll(close);
  const clock = createTestClock();

  const traces = async () => {
    const { rows } = await sql<{ action: string; by: string }>`
      select action, coalesce(actor_id, actor_kind) as by from audit_log order by id`.execute(db);
    return rows.splice(0).map(({ action, by }) => `${action} by ${by}`);
  };
  const refusalOf = async (act: Promise<unknown>) => {
    const error = await act.then(
      () => null,
      (thrown) => thrown,
    );
    return error instanceof AppError ? `${error.code}: ${error.message}` : error;
  };
  const newOperator = async (name: string, disabledAt: Date | null) => {
    const { rows } = await sql<{ id: string }>`
      insert into operators (name, email, email_key, password_hash, created_at, disabled_at)
      values (${name}, ${name}, ${name}, 'x', ${clock.now()}, ${disabledAt}) returning id::text as id`.execute(
      db,
    );
    return rows[0]?.id ?? '';
  };

  it('an operator who was disabled is one no more', async () => {
    const [here, gone] = [await newOperator('here', null), await newOperator('gone', clock.now())];
    expect(await departedAmong(db, [here, gone, gone, null, undefined, 'chain'])).toEqual(new Set([gone]));
    expect(await departedAmong(db, [here])).toEqual(new Set());
    expect(await departedAmong(db, [null, undefined])).toEqual(new Set());
    const firsts = await Promise.all([here, gone, null, 'chain'].map((first) => firstThatCounts(db, first)));
    expect(firsts).toEqual([here, null, null, 'chain']);
  });

  /** One thing that is asked for, kept in memory; the transaction and the traces are real. */
  function things() {
    const rows = new Map<string, Thing>();
    const kind = {
      ...words,
      db,
      clock,
      taken: 'Another thing waits already.',
      async lock(_tx: unknown, id: string) {
        return rows.get(id);
      },
      async insert(_tx: unknown, id: string, { askedBy }: { askedBy: string; now: Date }) {
        if (rows.has(id)) return false;
        rows.set(id, { ...asked, askedBy });
        return true;
      },
      async decide(
        _tx: unknown,
        row: Thing,
        { agreed, by, now, actor }: { agreed: boolean; by: string; now: Date; actor: Actor },
      ) {
        Object.assign(row, { decidedBy: by, decidedAt: now });
        return { action: `thing.${agreed ? 'agreed' : 'dropped'}`, details: { by, actor: nameOf(actor) } };
      },
    };
    const { propose, agree, discard } = createProposals<Thing, string>(kind);
    const ask = (id: string, actor: Actor) =>
      inTransaction(db, (tx) => propose(tx, id, { actor, action: 'thing.asked' }));
    return { rows, kind, ask, agree, discard };
  }

  it('one asks, another agrees, once, and each leaves its trace', async () => {
    const before = (await traces()).length;
    const { rows, ask, agree, discard } = things();
    await ask('one', ann);
    expect(await refusalOf(ask('one', ben))).toBe('already_decided: Another thing waits already.');
    expect(await refusalOf(agree({ id: 'one', actor: ann }))).toBe(
      'second_operator_needed: Another operator has to agree to what you asked for.',
    );
    expect(await refusalOf(agree({ id: 'two', actor: ben }))).toBe('not_found: There is no such thing.');
    await agree({ id: 'one', actor: ben });
    expect(rows.get('one')).toMatchObject({ askedBy: 'ann', decidedBy: 'ben', decidedAt: clock.now() });
    for (const late of [agree, discard])
      expect(await refusalOf(late({ id: 'one', actor: ben }))).toBe(
        'already_decided: This thing was decided already, by another operator.',
      );
    expect((await traces()).slice(before)).toEqual(['thing.asked by ann', 'thing.agreed by ben']);
  });

  it('either drops it, who asked as well', async () => {
    const before = (await traces()).length;
    const { ask, discard } = things();
    await ask('one', ann);
    await ask('two', ann);
    await discard({ id: 'one', actor: ann });
    await discard({ id: 'two', actor: ben });
    expect((await traces()).slice(before + 2)).toEqual(['thing.dropped by ann', 'thing.dropped by ben']);
  });

  it('what somebody asked for who is gone can only be dropped', async () => {
    const { ask, agree, discard } = things();
    const gone = await newOperator('gone since', null);
    await ask('one', { kind: 'operator', id: gone });
    await sql`update operators set disabled_at = ${clock.now()} where id::text = ${gone}`.execute(db);
    expect(await refusalOf(agree({ id: 'one', actor: ben }))).toBe(
      'second_operator_needed: another operator is an operator no more. Discard this and ask for it yourself.',
    );
    await discard({ id: 'one', actor: ben });
  });

  it('a decision that fails half-way leaves no trace', async () => {
    const before = (await traces()).length;
    const { ask, kind } = things();
    await ask('one', ann);
    const failing = createDecision<Thing>({
      ...kind,
      async decide(tx) {
        await sql`insert into throttles values ('decision', 'half-way', 1, now())`.execute(tx);
        throw new Error('half-way');
      },
    });
    await expect(failing({ id: 'one', actor: ben })).rejects.toThrow('half-way');
    expect((await traces()).slice(before)).toEqual(['thing.asked by ann']);
    const { rows } = await sql`select from throttles where scope = 'decision'`.execute(db);
    expect(rows).toEqual([]);
  });
});
