import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liabilities, passphraseHeader } from '@tallystick/contract/operator/books';
import { state } from '@tallystick/contract/proof';
import { utf8 } from '@tallystick/verify/bytes';
import type { ReadTile } from '@tallystick/verify/tiles';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditLog } from '../tools/log-audit/audit.ts';
import { checkLiabilities } from '../tools/log-audit/liabilities.ts';
import { emptyMirror, type Mirror, openMirror } from '../tools/log-audit/mirror.ts';
import { sealedLines } from '../tools/log-audit/sealed.ts';
import { NotReachable } from '../tools/log-audit/served.ts';
import { createWitness, type Witness } from '../tools/witness/witness.ts';
import { call } from './testing/call.ts';
import { dayMs, minuteMs, secondMs } from './testing/clock.ts';
import { type Tampering, tamperingWith } from './testing/ledger/tampering.ts';
import { deposit, goodAddress, type Offers, operator, withOffers } from './testing/money.ts';
import { signedInOperator } from './testing/operators.ts';
import { type Person, verified } from './testing/people.ts';
import { logOf, look, NoProof, type Remembered } from './testing/proof/investor-browser.ts';
import { forked, witnessed } from './testing/proof/onlookers.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

/**
 * The house cheats, for real: on a real server, as the database's superuser with its guards off, and with the key of the
 * log. Three look on: an investor's browser, an auditor and a witness. The table says who finds what.
 */

let test: TestApp;
let offers: Offers;
let superuser: Tampering;
let [ada, bob]: Person[] = [];
let folder: string;
let witness: Witness;
let [adasMemory, bobsMemory]: Remembered[] = [];
let auditor: Mirror;
let [earlyNote, vkey] = ['', ''];

const person = (who: Person | undefined): Person => {
  if (!who) throw new Error('nobody is there yet');
  return who;
};

/** Everything that waits gets its place and is signed. */
async function written(): Promise<void> {
  await test.context.log.write();
  const { rows } = await test.context.owner.query('select count(*)::int as count from log_entries');
  await vi.waitFor(async () => expect((await call(test, state, {})).size).toBe(rows[0].count), 15_000);
}

async function proven(): Promise<void> {
  test.clock.advance(2 * minuteMs);
  await test.context.proof.prove();
  await written();
}

const audit = (read: ReadTile, mirror: Mirror) => auditLog({ read, mirror, vkey, witnesses: [] });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-tampering-'));
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await verified(test);
  bob = await verified(test);
  const { investment, withdrawal } = test.context;
  const adas = { userId: ada.userid, idempotencyKey: null };
  await deposit(test, ada.userid, 2000);
  await deposit(test, bob.userid, 300);
  await investment.makeInvestment({ ...adas, planId: offers.plans.Starter, amountCents: 15_031n });
  const to = { methodId: offers.withdrawalMethods.Bitcoin, address: goodAddress.Bitcoin };
  await withdrawal.askForWithdrawal({ ...adas, ...to, amountCents: 30_000n });
  test.clock.advance(7 * dayMs);
  await proven();
  earlyNote = new TextDecoder().decode(await logOf(test)('checkpoint'));
  for (const roiPoints of [70, 90]) {
    const { id: planId = '' } =
      (await investment.plans()).find(({ planname }) => planname === 'Starter') ?? {};
    const plan = { planname: 'Starter', fromCents: 10_000n, toCents: 199_900n, durationDays: 30, roiPoints };
    await investment.replacePlan({ planId, plan, actor: operator() });
  }
  await written();

  ({ vkey } = await call(test, state, {}));
  witness = createWitness({ name: 'elsewhere.example/w', dir: join(folder, 'witness'), logs: [vkey] });
  auditor = openMirror(join(folder, 'audit'));
  superuser = await tamperingWith(test.database.adminUrl);
});
afterAll(async () => {
  await superuser.end();
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

it('nobody finds anything in an honest house, and all remember what they saw', async () => {
  for (const who of [ada, bob]) {
    const { steps } = await look(test, person(who));
    expect(steps.filter(({ state: found }) => found !== 'holds').map(({ name }) => name)).toEqual([
      'consistency',
    ]);
  }
  adasMemory = (await look(test, person(ada))).remembered;
  bobsMemory = (await look(test, person(bob))).remembered;
  const again = await look(test, person(ada), { remembered: adasMemory });
  expect(again.steps.map(({ state: found }) => found)).toEqual(Array(5).fill('holds'));
  expect(await audit(logOf(test), auditor)).toMatchObject({ wrong: [], unchecked: [] });
  expect(await witnessed(witness, logOf(test))).toBe(200);
});

it('an auditor recomputes root and totals from every leaf, and finds one that was changed', async () => {
  const clerk = await signedInOperator(test);
  const url = `${liabilities.path}?number=1`;
  const { rawPayload, headers } = await test.app.inject({ method: 'GET', url, cookies: clerk.cookies });
  const path = join(folder, 'liabilities');
  writeFileSync(path, rawPayload);
  const lines = [...sealedLines(path, String(headers[passphraseHeader]))];
  const recomputed = async (told: string[]) => {
    const found = await audit(logOf(test), emptyMirror());
    checkLiabilities(told, found.origin, found);
    return found;
  };
  const { wrong, holds } = await recomputed(lines);
  expect(wrong).toEqual([]);
  expect(holds.at(-1)).toBe('1024 leaves of 2 investors come to root and totals of statement 1.');
  expect((await recomputed(lines.slice(0, -1))).wrong[0]).toContain('there are 1023 leaves');
  const owner = lines.findIndex((line) => line.includes(person(bob).email));
  const left = (lines[owner] ?? '').replace(person(bob).email, '');
  expect((await recomputed(lines.with(owner, left))).wrong[0]).toContain('is nobody’s and holds something');
  expect((await recomputed(lines.with(owner, lines[owner + 1] ?? ''))).wrong[0]).toContain('is not one');
  expect(() => [...sealedLines(path, 'another passphrase')]).toThrow(
    'another passphrase, cut off, or damaged',
  );
  writeFileSync(path, rawPayload.subarray(0, -40));
  expect(() => [...sealedLines(path, String(headers[passphraseHeader]))]).toThrow(NotReachable);
});

const walletOf = async (who: Person | undefined) =>
  (await test.context.ledger.summary({ userId: person(who).userid })).accountId ?? '';

describe('an entry of an account that is changed, with every hash after it,', () => {
  it('is found by the browser that knew the chain', async () => {
    await superuser.relabel(await walletOf(ada), 1, 'Fee');
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
    const { broken } = await look(test, person(ada), { remembered: adasMemory ?? null });
    await superuser.undo();
    expect(broken).toEqual(['chains']);
  });

  it('is found by any browser when it is worth something: the total that was published says otherwise', async () => {
    const wallet = await walletOf(bob);
    const change = 'amount_cents = amount_cents - 5000, balance_after_cents = balance_after_cents - 5000';
    await superuser.sql(`update ledger_entries set ${change} where account_id = $1 and seq = 1`, [wallet]);
    await superuser.sql('update ledger_accounts set balance_cents = balance_cents - 5000 where id = $1', [
      wallet,
    ]);
    await superuser.relabel(wallet, 1, 'Bitcoin');
    const fresh = await look(test, person(bob));
    const knowing = await look(test, person(bob), { remembered: bobsMemory ?? null });
    await superuser.undo();
    expect(fresh.broken).toEqual(['leaf']);
    expect(fresh.steps[1]?.why).toContain(
      'wallet: the total counts $300.00, your own entries come to $250.00',
    );
    expect(knowing.broken).toContain('chains');
  });
});

describe('an investor who is left out of a statement', () => {
  it('finds it by looking, and so does nobody else', async () => {
    const accounts = `(select id from ledger_accounts where owner_id = '${person(bob).userid}')`;
    await superuser.sql(`delete from ledger_entries where account_id in ${accounts}`);
    await superuser.sql(`delete from ledger_accounts where id in ${accounts}`);
    await proven();
    await superuser.undo();
    const bobs = await look(test, person(bob), { remembered: bobsMemory ?? null });
    expect(bobs.broken).toEqual(['leaf']);
    expect(bobs.steps[1]?.why).toBe('wallet: the total counts $0.00, your own entries come to $300.00.');
    expect((await look(test, person(ada), { remembered: adasMemory ?? null })).broken).toEqual([]);
    expect(await audit(logOf(test), auditor)).toMatchObject({ wrong: [], unchecked: [] });
    expect(await witnessed(witness, logOf(test))).toBe(200);
    await proven();
    expect((await look(test, person(bob), { remembered: bobsMemory ?? null })).broken).toEqual([]);
  });
});

describe('amounts that are negative, run over or are smaller than they were', () => {
  const withSibling = (amount: string) =>
    look(test, person(ada), {
      altered: (file) => ({
        ...file,
        liabilities: file.liabilities && {
          ...file.liabilities,
          pieces: file.liabilities.pieces.map((piece) => ({
            ...piece,
            path: piece.path.map((step, at) =>
              at === 3 ? { ...step, amounts: [amount, '0', '0', '0'] } : step,
            ),
          })),
        },
      }),
    });

  it('on the way to the total are found by the browser', async () => {
    for (const amount of ['-5000', '18446744073709546616']) {
      await expect(withSibling(amount), amount).rejects.toThrow(NoProof);
    }
    for (const amount of ['9223372036854775807', '1']) {
      expect((await withSibling(amount)).broken, amount).toEqual(['leaf']);
    }
  });

  it('in the ledger itself, where the database no longer refuses them, make no statement', async () => {
    const { rows } = await test.context.owner.query(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where contype = 'c' and conrelid in ('ledger_accounts'::regclass, 'ledger_entries'::regclass)`,
    );
    for (const { table, name } of rows) await superuser.sql(`alter table ${table} drop constraint "${name}"`);
    const wallet = await walletOf(bob);
    const change = 'amount_cents = -5000, balance_after_cents = -5000';
    await superuser.sql(`update ledger_entries set ${change} where account_id = $1 and seq = 1`, [wallet]);
    await superuser.sql('update ledger_accounts set balance_cents = -5000 where id = $1', [wallet]);
    await superuser.relabel(wallet, 1, 'Bitcoin');
    test.clock.advance(2 * minuteMs);
    await expect(test.context.proof.prove()).rejects.toThrow();
    const { broken, steps } = await look(test, person(bob));
    await superuser.undo();
    expect(broken).toContain('chains');
    expect(steps[0]?.why).toBe('The account wallet: After entry 1 the account is below zero.');
  });
});

describe('a log that is forked for one client', () => {
  it('is found by the browser that knew it, by the auditor and by the witness', async () => {
    const read = await forked(test, (entries) => [
      ...entries.with(0, entries[0]?.replace('points 80', 'points 81') ?? ''),
      'x',
    ]);
    const { broken } = await look(test, person(ada), { read, remembered: adasMemory ?? null });
    expect(broken).toContain('consistency');
    const { wrong } = await audit(read, auditor);
    expect(wrong[0]).toContain('The log no longer begins with');
    expect(wrong.join()).toContain('Entry 0 is another than last time');
    expect(await witnessed(witness, read)).toBe(422);
  });

  it('lacks the witnesses, which is what a browser sees that never looked before', async () => {
    const read = await forked(test, (entries) =>
      entries.with(0, entries[0]?.replace('points 80', 'points 81') ?? ''),
    );
    const { steps } = await look(test, person(ada), { read });
    expect(steps[4]).toMatchObject({ name: 'witnesses', state: 'unchecked' });
    expect(steps[4]?.says).toContain('The witness has not signed the log of');
    expect([409, 422]).toContain(await witnessed(witness, read));
  });
});

describe('an old checkpoint that is shown again', () => {
  it('is found by the browser, the auditor and the witness', async () => {
    const read: ReadTile = async (path) => (path === 'checkpoint' ? utf8(earlyNote) : logOf(test)(path));
    const { broken, steps } = await look(test, person(ada), { read, remembered: adasMemory ?? null });
    expect(broken).toContain('consistency');
    expect(steps[3]?.says).toBe('The log is shorter than it was.');
    expect((await audit(read, auditor)).wrong[0]).toMatch(/had \d+ entries before and shows only \d+ now/);
    expect(await witnessed(witness, read)).toBe(409);
  });
});

describe('a plan’s change that is removed from the log, in the database and for everybody,', () => {
  it('is refused by the server, and without its memory found by all three, even by an auditor who comes for the first time', async () => {
    await superuser.sql(`delete from log_entries where entry like E'plan/v1\\n%version 2\\n%';
      update log_entries set place = null; update log_size set size = 0`);
    for (const table of ['log_tiles', 'log_cosignatures', 'log_checkpoints'])
      await superuser.sql(`delete from ${table}`);
    await test.context.log.write();
    expect((await call(test, state, {})).stopped).not.toBeNull();

    rmSync(join(test.context.config.dataDir, 'log', 'checkpoint'));
    await test.restart();
    await superuser.sql('delete from log_stops');
    // The house's own witness does not sign; after its time the checkpoint is served without.
    await vi.waitFor(async () => {
      await test.context.log.write();
      test.clock.advance(5 * secondMs);
      expect((await logOf(test)('checkpoint')).length).toBeGreaterThan(0);
    }, 45_000);

    const { broken, steps } = await look(test, person(ada), { remembered: adasMemory ?? null });
    expect(broken).toEqual(['consistency']);
    expect(steps[4]?.state).toBe('unchecked');
    expect((await audit(logOf(test), auditor)).wrong[0]).toContain('Since last time:');

    expect((await audit(logOf(test), emptyMirror())).wrong).toContainEqual(
      expect.stringContaining('It is version 3 of the plan Starter, and 2 comes next.'),
    );
    expect([409, 422]).toContain(await witnessed(witness, logOf(test)));
  });
});
