import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundingCentsMax, fundingCentsMin } from '@tallystick/contract/funding';
import { amountCentsMax, exitAmounts, profitOf, toDecimal } from '@tallystick/contract/money';
import { withdrawalCentsMin } from '@tallystick/contract/withdrawal';
import { expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../testing/clock.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { sha256Hex } from '../../testing/ledger/wire-chain.ts';
import { correcting, deposit, goodAddress, newTxid, operator, withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { settleInto } from '../investment/settlement.ts';
import { type AccountKind, Book, canonicalText, chainHash, genesisHash } from './rules.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/money.md'), 'utf8');

/** The lines of every fenced block of a kind, with what stands after the kind. */
function blocks(kind: string): { about: string[]; lines: string[] }[] {
  return [...text.matchAll(/^```(\w+)(.*)\n([^`]*)^```$/gm)]
    .filter(([, word]) => word === kind)
    .map(([, , about = '', body = '']) => ({
      about: about.trim().split(' '),
      lines: body.trimEnd().split('\n'),
    }));
}

const cents = (decimal: string) => BigInt(decimal.replace('.', ''));
const adasWallet = '3f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f61';

interface Told {
  kind: string;
  transactionid: string;
  at: Date;
  postings: { account: { kind: AccountKind; ownerId: string | null }; amountCents: bigint; label: string }[];
}

const posting = /^(?<kind>\w+)(?: of (?<owner>\w+))? +(?<amount>-?\d+\.\d\d)(?: +(?<label>.+))?$/;

function readLine(line: string) {
  const { kind = '', owner, amount = '', label = '' } = posting.exec(line)?.groups ?? {};
  const account = { kind: kind as AccountKind, ownerId: owner ?? null };
  return { account, amountCents: cents(amount), label };
}

const told: Told[] = blocks('movement').map(({ about: [kind = '', transactionid = '', at = ''], lines }) => ({
  kind,
  transactionid,
  at: new Date(at),
  postings: lines.map(readLine),
}));
const balances = blocks('balances').flatMap(({ lines }) => lines.map(readLine));

/** A book with every account of the story, empty. */
function tell(movements: Told[]): Book {
  const book = new Book(
    balances.map(({ account }) => ({
      ...account,
      id: account.kind === 'wallet' ? adasWallet : account.kind,
      balanceCents: 0n,
      entryCount: 0n,
      head: genesisHash,
      lastEntryAt: null,
    })),
  );
  for (const each of movements) {
    const posted = book.post({
      ...each,
      id: each.transactionid,
      reference: null,
      reason: null,
      bodySha256: null,
    });
    expect([each.kind, posted]).toEqual([each.kind, 'posted']);
  }
  return book;
}

it('the movements can be posted one after the other and leave the balances that are told', () => {
  expect(told.map(({ kind }) => kind)).toHaveLength(14);
  const book = tell(told);
  for (const { account, amountCents } of balances) {
    expect([account, book.balanceOf(account)]).toEqual([account, amountCents]);
  }
  expect(balances.reduce((sum, { amountCents }) => sum + amountCents, 0n)).toBe(0n);
});

it('what is invested again is posted as it is told', () => {
  const at = new Date('2026-06-05T09:41:00.000Z');
  const wholes = [
    { account: { kind: 'invested', ownerId: 'Ada' }, amountCents: 200_000n },
    { account: { kind: 'wallet', ownerId: 'Ada' }, amountCents: 0n },
    { account: { kind: 'returns', ownerId: null }, amountCents: 0n },
  ] as const;
  const book = new Book(
    wholes.map(({ account, amountCents: balanceCents }) => ({
      ...account,
      id: account.kind,
      balanceCents,
      entryCount: 0n,
      head: genesisHash,
      lastEntryAt: null,
    })),
  );
  const plan = {
    id: 'standard',
    lineId: 'standard',
    version: 1,
    position: 0,
    active: true,
    planname: 'Standard',
    fromCents: 200_000n,
    toCents: 999_900n,
    durationDays: 60,
    roiPoints: 190,
    reinvestable: true,
    exitFromDay: null,
    exitKeepsPoints: null,
    exitFeePoints: null,
  };
  const terms = { planId: plan.id, amountCents: 203_800n, profitCents: 3_872n };
  settleInto(book, {
    at,
    due: [{ id: '1', userId: 'Ada', transactionid: 'TS-1', amountCents: 200_000n, profitCents: 3_800n }],
    choices: new Map([['1', { investmentId: '1', choice: 'everything', told: { at, by: 'letter', terms } }]]),
    offered: new Map([[plan.id, plan]]),
  });
  const again = blocks('again').map(({ about: [kind], lines }) => ({ kind, postings: lines.map(readLine) }));
  expect(again).toHaveLength(2);
  expect(book.movements.map(({ kind, postings }) => ({ kind, postings }))).toEqual(again);
});

it('the chain is that of the movements, and its hashes are what anyone computes from the lines', async () => {
  const entries = tell(told).entries.filter(({ accountId }) => accountId === adasWallet);
  const chain = blocks('chain');
  expect(chain).toHaveLength(2);
  let previous = genesisHash;
  for (const [n, { lines }] of chain.entries()) {
    const hash = lines.at(-1)?.replace('= ', '');
    const hashed = lines.slice(0, -1);
    const entry = entries[n];
    if (!entry) throw new Error('a chain without its movement');
    const transactionid = told.find(({ transactionid }) => transactionid === entry.movementId)?.transactionid;
    const canonical = canonicalText({ ...entry, transactionid: transactionid ?? '' });
    expect(hashed.join('\n')).toBe(`${previous}\n${canonical}`);
    expect(hash).toBe(await sha256Hex(hashed.join('\n')));
    previous = chainHash(previous, canonical);
    expect([previous, entry.hash]).toEqual([hash, hash]);
  }
});

it('profits and limits are those of the code', () => {
  const profits = blocks('profit').flatMap(({ lines }) => lines);
  expect(profits).toHaveLength(3);
  for (const line of profits) {
    const [, amount = '', roi = '', profit] = /^(\S+) at (\S+) % is (\S+)$/.exec(line) ?? [];
    expect([line, toDecimal(profitOf(cents(amount), Number(roi) * 100))]).toEqual([line, profit]);
  }
  expect(blocks('limits').flatMap(({ lines }) => lines)).toEqual([
    `deposit from ${toDecimal(fundingCentsMin)}`,
    `deposit to ${toDecimal(fundingCentsMax)}`,
    `withdrawal from ${toDecimal(withdrawalCentsMin)}`,
    `any amount to ${toDecimal(amountCentsMax)}`,
  ]);
});

it('what leaving early pays is what the code pays', () => {
  const [block] = blocks('exit');
  const line =
    /^(\S+) at (\S+) % in (\d+) days, left after (\d+): (\S+) so far, (\S+) kept, (\S+) fee, (\S+) paid$/;
  expect(block?.lines).toHaveLength(3);
  for (const told of block?.lines ?? []) {
    const [, amount = '', roi = '', of, after, ...amounts] = line.exec(told) ?? [];
    const profitCents = profitOf(cents(amount), Number(roi) * 100);
    const investment = { amountCents: cents(amount), profitCents, durationDays: Number(of) };
    const terms = { fromDay: 1, keepsPoints: 5_000, feePoints: 50 };
    const paid = exitAmounts(investment, terms, Number(after));
    expect([told, ...Object.values(paid).map(toDecimal)]).toEqual([told, ...amounts]);
  }
});

/** Ada's story, done by the real services a minute apart. */
async function live(test: TestApp, userId: string): Promise<void> {
  const { investment, withdrawal, ledger } = test.context;
  const { plans, withdrawalMethods } = await withOffers(test);
  const common = { userId, idempotencyKey: null };
  const later = (ms = minuteMs) => test.clock.advance(ms);
  const ask = async (amountCents: bigint) => {
    later();
    const to = { methodId: withdrawalMethods.Bitcoin ?? '', address: goodAddress.Bitcoin };
    const { id } = await withdrawal.askForWithdrawal({ ...common, ...to, amountCents });
    later();
    return { withdrawalId: id, actor: operator(), idempotencyKey: null };
  };
  await deposit(test, userId, 1000);
  later();
  await investment.makeInvestment({ ...common, planId: plans.Starter ?? '', amountCents: 15_031n });
  later(30 * dayMs);
  const investedOnceSettled = async () => {
    await investment.settleDue();
    return (await ledger.summary({ userId })).investedCents;
  };
  await expect.poll(investedOnceSettled).toBe(0n);
  const paid = await ask(30_000n);
  await withdrawal.approveWithdrawal(paid);
  await withdrawal.markWithdrawalPaid({ ...paid, chainTxid: newTxid() });
  const { withdrawalId } = await ask(5_000n);
  await withdrawal.cancelWithdrawal({ ...common, withdrawalId });
  later();
  await correcting({ ledger })({ ...common, amountCents: -89n, reason: 'Counted twice.' });
  later();
  await deposit(test, userId, 2000);
  later();
  const bought = { ...common, planId: plans.Standard ?? '', amountCents: 200_000n };
  const { id: investmentId } = await investment.makeInvestment(bought);
  later(15 * dayMs);
  const { paidCents: payoutCents } = await investment.exitQuote({ userId, investmentId });
  await investment.exitInvestment({ ...common, investmentId, payoutCents });
  const rest = await ask(269_469n);
  await withdrawal.approveWithdrawal(rest);
  await withdrawal.markWithdrawalPaid({ ...rest, chainTxid: newTxid() });
  later();
  await close(test, userId, 37n);
}

/** In a session that has just shown who is there. */
async function close({ context, clock }: TestApp, userId: string, leaveCents: bigint): Promise<void> {
  const { rows } = await context.owner.query(
    `insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent, created_at, seen_at, expires_at,
       stepped_up_at)
     select id, sha256(id::text::bytea), sha256(id::text::bytea), '', '', $2, $2, $2, $2 from users where id = $1
     returning id, (select email from users where id = $1) as email`,
    [userId, clock.now()],
  );
  const identity = { userId, sessionId: rows[0].id };
  const client = { address: '192.0.2.1', userAgent: '' };
  await context.account.close({ identity, client, email: rows[0].email, leaveCents });
}

it('the services write the movements that are told, posting by posting', async () => {
  const test = await startTestApp();
  try {
    await live(test, await newInvestor(test));
    const { rows } = await test.context.owner.query(
      `select m.kind, array_agg(concat_ws(' ', a.kind, p.paymentname, e.amount_cents, e.label)) as postings
       from ledger_movements m join ledger_entries e on e.movement_id = m.id
       join ledger_accounts a on a.id = e.account_id left join payment_methods p on p.id = a.owner_id
       group by m.id order by m.at`,
    );
    const written = rows.map(({ kind, postings }) => [kind, postings.sort()]);
    const expected = told.map(({ kind, postings }) => {
      const ownerOf = ({ kind, ownerId }: { kind: string; ownerId: string | null }) =>
        kind === 'clearing' ? `${kind} ${ownerId}` : kind;
      return [kind, postings.map((p) => `${ownerOf(p.account)} ${p.amountCents} ${p.label}`).sort()];
    });
    expect(written).toEqual(expected);
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  } finally {
    await test.close();
  }
});

it('the bounds are those that a new database begins with', async () => {
  const test = await startTestApp();
  try {
    const bounds = await test.context.bounds.bounds();
    expect(blocks('bounds').flatMap(({ lines }) => lines)).toEqual([
      `deposit or payout up to ${toDecimal(bounds.thresholdCents)}`,
      `deposit that its chain shows up to ${toDecimal(bounds.chainThresholdCents)}`,
      `plan up to ${toDecimal(BigInt(bounds.planPointsPerDayMax))} % a day`,
      `plan from ${bounds.planDaysMin} to ${bounds.planDaysMax} days`,
      `plan up to ${toDecimal(bounds.planCentsMax)}`,
    ]);
  } finally {
    await test.close();
  }
});

it('there is no kind of movement, nor of account, that the document does not tell of', async () => {
  const kinds = new Set(told.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    'closing',
    'correction',
    'deposit',
    'exit',
    'investment',
    'maturity',
    'payout',
    'withdrawal',
    'withdrawal-returned',
  ]);
  const migration = readFileSync(join(import.meta.dirname, '../../migrations/0002-ledger.sql'), 'utf8');
  const accounts = /check \(kind in \(([^)]*)\)\)/.exec(migration)?.[1]?.match(/\w+/g) ?? [];
  for (const account of accounts) expect(text).toContain(`| \`${account}\` `);
  expect(accounts).toHaveLength(7);
  expect(text.toLowerCase()).not.toContain('guarantee');
});
