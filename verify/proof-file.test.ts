import { describe, expect, it } from 'vitest';
import { leafHash } from './merkle.ts';
import { checkProofFile, type ProofFile, readProofFile, type Step, writeProofFile } from './proof-file.ts';
import {
  adasId,
  booksText,
  chainOf,
  headOf,
  log,
  logEntries,
  sampleProof,
  witness,
} from './testing/sample-proof.ts';
import { checkpointNote, testKey } from './testing/signing.ts';

const nobody = { vkey: null, witnesses: null };
const states = (steps: Step[]) => Object.fromEntries(steps.map(({ name, state }) => [name, state]));
const allHold = { chains: 'holds', leaf: 'holds', log: 'holds', consistency: 'holds', witnesses: 'holds' };

const check = (
  change: Partial<ProofFile> = {},
  id = adasId,
  trust: Parameters<typeof checkProofFile>[2] = nobody,
) => checkProofFile({ ...sampleProof(), ...change }, id, trust);
const whyOf = (steps: Step[], name: Step['name']) => steps.find((step) => step.name === name)?.why;

describe('a saved proof', () => {
  it('holds in all five steps, also after it was a file', () => {
    expect(states(check())).toEqual(allHold);
    const read = readProofFile(writeProofFile(sampleProof()));
    if ('wrong' in read) throw new Error(read.wrong);
    expect(read).toEqual(sampleProof());
    const steps = checkProofFile(read, adasId, nobody);
    expect(steps.map(({ says }) => says)).toEqual([
      'All 6 entries of your accounts were recomputed. On 16 Mar 2026, 09:40:00 UTC you had $549.69 in the wallet, $150.31 invested, $0.55 of profit so far and $300.00 being withdrawn.',
      'Statement 3 counts $549.69 in the wallet, $150.31 invested, $0.55 of profit so far and $300.00 being withdrawn, to the cent what your own entries say.',
      'Statement 3 is entry 6 of 8 in the log of tallystick.test/log. Its key is the one in the file: compare it with one from elsewhere.',
      'The log of 8 entries begins with the 4 that were known before.',
      '1 of 1 witness signed this very log: witness.example/w1 (14 Nov 2023, 22:13:20 UTC). Their keys are those in the file: compare them with what the witnesses publish.',
    ]);
  });

  it('is of the person who types the address, however they type it', () => {
    expect(states(check({}, '  Ada@Example.ORG ')).leaf).toBe('holds');
    for (const other of ['bob@example.org', '', 'ada@example.com']) {
      expect(states(check({}, other)), other).toEqual({ ...allHold, leaf: 'broken' });
    }
  });

  it('is checked with keys from elsewhere where there are some', () => {
    const trust = { vkey: log.vkey, witnesses: [witness.vkey] };
    expect(states(check({}, adasId, trust))).toEqual(allHold);
    const other = testKey('other.test/log').vkey;
    const wrongKey = states(check({}, adasId, { ...trust, vkey: other }));
    expect(wrongKey).toMatchObject({ log: 'broken', consistency: 'broken', witnesses: 'broken' });
    const unknown = testKey('other.example/w', 'cosignature').vkey;
    expect(states(check({}, adasId, { ...trust, witnesses: [unknown] })).witnesses).toBe('unchecked');
  });

  it('says what it cannot check', () => {
    expect(states(check({ known: null }))).toEqual({ ...allHold, consistency: 'unchecked' });
    expect(states(check({ witnesses: [] }))).toEqual({ ...allHold, witnesses: 'unchecked' });
    expect(states(check({ checkpoint: headOf(logEntries, []) }))).toEqual({
      ...allHold,
      witnesses: 'unchecked',
    });
    expect(states(check({ entry: null, liabilities: null }))).toEqual({
      ...allHold,
      leaf: 'unchecked',
      log: 'unchecked',
    });
  });
});

describe('an own record that', () => {
  const walletWith = (change: Partial<ProofFile['accounts']['wallet']>) => {
    const { accounts } = sampleProof();
    return check({ accounts: { ...accounts, wallet: { ...accounts.wallet, ...change } } });
  };
  const { wallet } = sampleProof().accounts;

  it('has an altered entry, or lacks one, is broken', () => {
    const altered = wallet.lines.map((line) => (line.seq === 2 ? { ...line, fundingtype: 'Fee' } : line));
    expect(whyOf(walletWith({ lines: altered }), 'chains')).toBe(
      'Entry 2 of the account wallet (TS-H3VB-62ND) was altered.',
    );
    const short = wallet.lines.filter(({ seq }) => seq !== 2);
    expect(whyOf(walletWith({ lines: short }), 'chains')).toBe('Entry 2 of the account wallet is missing.');
    expect(states(walletWith({ lines: short })).leaf).toBe('unchecked');
    expect(states(walletWith({ lines: wallet.lines.toReversed() })).chains).toBe('broken');
  });

  it('was rewritten as a whole is found by what was known before, and by the total', () => {
    const posted = wallet.lines.map(
      (line) => [line.at, line.transactionid, line.fundingtype, line.amountCents] as const,
    );
    const lines = chainOf(
      wallet.account ?? '',
      posted.with(0, [posted[0]?.[0] ?? '', 'TS-7K4M-9XQ2', 'Bitcoin', 99_000n]),
    );
    const known = { seq: 2, hash: wallet.lines[1]?.hash ?? '' };
    expect(states(walletWith({ known }))).toEqual(allHold);
    expect(whyOf(walletWith({ known, lines }), 'chains')).toContain(
      'not the one that this browser knew up to entry 2',
    );
    expect(whyOf(walletWith({ lines }), 'leaf')).toBe(
      'wallet: the total counts $549.69, your own entries come to $539.69.',
    );
    expect(states(walletWith({ known: { ...known, seq: 9 } })).chains).toBe('broken');
    expect(states(walletWith({ account: null, lines: [], known })).chains).toBe('broken');
  });
});

describe('terms that', () => {
  const [terms] = sampleProof().investments;
  if (!terms) throw new Error('no terms');
  it.each([
    [{ profitCents: 119n }, 'which is not 0.8 % of it'],
    [{ points: 79 }, 'which is not 0.79 % of it'],
    [{ days: 31 }, 'does not mature 31 days after'],
    [{ amountCents: 15_030n, profitCents: 120n }, 'is not in the account'],
    [{ transactionid: 'TS-AAAA-AAAA' }, 'TS-H3VB-62ND are not told'],
    [{ settledAt: '2026-03-10T00:00:00.000Z' }, 'paid back before its time'],
    [{ openedAt: '2026-03-01T09:40:12.345Z', maturesAt: '2026-03-31T09:40:12.345Z' }, 'dated otherwise'],
  ])('were changed to %o are found', (change, why) => {
    expect(whyOf(check({ investments: [{ ...terms, ...change }] }), 'chains')).toContain(why);
  });

  it('were paid back are found in the account, and what it gives back in them', () => {
    const { accounts } = sampleProof();
    const posted = accounts.invested.lines.map(
      (line) => [line.at, line.transactionid, line.fundingtype, line.amountCents] as const,
    );
    const settledAt = '2026-04-01T09:41:00.000Z';
    const back = (at: string, cents: bigint) => {
      const lines = chainOf(accounts.invested.account ?? '', [
        ...posted,
        [at, 'TS-QW8E-5RT7', 'Investment Return', cents],
      ]);
      return { accounts: { ...accounts, invested: { ...accounts.invested, lines } } };
    };
    const settled = { investments: [{ ...terms, settledAt }] };
    expect(states(check({ ...back('2026-04-01T09:41:00.020Z', -15_031n), ...settled }))).toEqual(allHold);
    expect(whyOf(check(settled), 'chains')).toContain('was paid back, and no entry says so');
    expect(whyOf(check(back(settledAt, -15_031n)), 'chains')).toContain(
      'takes out what no investment paid back',
    );
    expect(whyOf(check({ ...back(settledAt, -15_000n), ...settled }), 'chains')).toContain(
      'no entry says so',
    );
    expect(whyOf(check({ ...back('2026-04-02T09:41:00.000Z', -15_031n), ...settled }), 'chains')).toContain(
      'no entry',
    );
  });

  it('were left early say so in their entry, and others are not paid back before their time', () => {
    const { accounts } = sampleProof();
    const posted = accounts.invested.lines.map(
      (line) => [line.at, line.transactionid, line.fundingtype, line.amountCents] as const,
    );
    const leftAt = '2026-03-20T10:00:00.000Z';
    const left = (label: string, settledAt = leftAt) => {
      const out = [settledAt, 'TS-QW8E-5RT7', label, -15_031n] as const;
      const lines = chainOf(accounts.invested.account ?? '', [...posted, out]);
      const invested = { ...accounts.invested, lines };
      return check({ accounts: { ...accounts, invested }, investments: [{ ...terms, settledAt }] });
    };
    expect(states(left('Early Exit'))).toEqual(allHold);
    expect(whyOf(left('Investment Return'), 'chains')).toContain('paid back before its time');
    expect(whyOf(left('Early Exit', '2026-04-01T09:41:00.000Z'), 'chains')).toContain('no entry says so');
  });

  it('are left out, or told twice, are found', () => {
    expect(whyOf(check({ investments: [] }), 'chains')).toContain('are not told');
    expect(whyOf(check({ investments: [terms, terms] }), 'chains')).toContain('told twice');
  });
});

describe('a house that', () => {
  it('leaves someone out is found by who had something', () => {
    expect(check({ liabilities: null }).find(({ name }) => name === 'leaf')).toMatchObject({
      state: 'broken',
      says: 'Statement 3 leaves you out.',
    });
    const none = { account: null, known: null, lines: [] };
    const empty = {
      accounts: { wallet: none, invested: none, withdrawing: none },
      investments: [],
      liabilities: null,
    };
    expect(states(check(empty)).leaf).toBe('unchecked');
  });

  it('counts someone with less is found', () => {
    const { accounts } = sampleProof();
    const posted = accounts.withdrawing.lines.map(
      (line) => [line.at, line.transactionid, line.fundingtype, 31_000n] as const,
    );
    const lines = chainOf(accounts.withdrawing.account ?? '', posted);
    const steps = check({ accounts: { ...accounts, withdrawing: { ...accounts.withdrawing, lines } } });
    expect(whyOf(steps, 'leaf')).toBe(
      'withdrawing: the total counts $300.00, your own entries come to $310.00.',
    );
  });

  it('shows a statement that is not in the log is found', () => {
    const other = booksText.replace('15031 120', '15031 121');
    const entry = { ...(sampleProof().entry ?? { place: 0, inclusion: [] }), text: other };
    expect(states(check({ entry }))).toEqual({ ...allHold, log: 'broken' });
    expect(states(check({ entry: { ...entry, text: booksText, place: 4 } })).log).toBe('broken');
    expect(states(check({ entry: { ...entry, text: 'plan/v1\n' } }))).toMatchObject({
      leaf: 'broken',
      log: 'broken',
    });
  });

  it('rewrote its log is found by who knew it before, and the file is the evidence', () => {
    const forked = logEntries.with(1, 'freeze/v1\ntime 2026-03-02T00:00:00Z\nscope books\nstate off\n');
    const { known } = sampleProof();
    const steps = check({ known: known && { ...known, checkpoint: headOf(forked.slice(0, 4)) } });
    expect(states(steps)).toEqual({ ...allHold, consistency: 'broken' });
    expect(whyOf(steps, 'consistency')).toContain(
      'Both are signed with the same key: the two signatures together',
    );
  });

  it('shows an old head again is found', () => {
    const newer = { checkpoint: headOf([...logEntries, 'audit/v1\n']), consistency: [] };
    expect(whyOf(check({ known: newer }), 'consistency')).toContain('had 9 entries before');
  });

  it('forges the signature of the log or of a witness is found', () => {
    const root = leafHash(new Uint8Array());
    const forged = checkpointNote(testKey('eve'), { size: 8, root }).replaceAll('eve', log.name);
    expect(states(check({ checkpoint: forged }))).toMatchObject({
      log: 'broken',
      consistency: 'broken',
      witnesses: 'broken',
    });
    const eve = testKey('eve.example', 'cosignature');
    const cosigned = headOf(logEntries, [{ ...eve, signature: () => witness.signature('another text\n') }]);
    expect(states(check({ checkpoint: cosigned })).witnesses).toBe('broken');
  });
});

describe('a file', () => {
  const text = writeProofFile(sampleProof());
  const changed = (change: (file: Record<string, unknown>) => void) => {
    const file = JSON.parse(text);
    change(file);
    return readProofFile(JSON.stringify(file));
  };

  it.each<[string, (file: Record<string, unknown>) => void]>([
    ['another format', (file) => Object.assign(file, { format: 'tallystick/proof/v2' })],
    ['a field more', (file) => Object.assign(file, { more: 1 })],
    ['a field less', (file) => delete file.known],
    ['a text that is none', (file) => Object.assign(file, { vkey: 7 })],
    ['an entry that is none', (file) => Object.assign(file, { entry: [] })],
    ['no list of investments', (file) => Object.assign(file, { investments: {} })],
    ['an id of its own', (file) => Object.assign(file.liabilities as object, { id: adasId })],
    [
      'a hash in large digits',
      (file) => Object.assign(file.liabilities as object, { secret: 'A'.repeat(64) }),
    ],
    ['a time that is none', (file) => Object.assign(file, { saved: 'yesterday' })],
  ])('with %s is no proof', (_what, change) => {
    expect(changed(change)).toEqual({ wrong: expect.stringContaining('not a proof') });
  });

  it.each(['', '[]', 'null', '7', '{', '"proof"'])('with %j in it is no proof', (other) => {
    expect(readProofFile(other)).toEqual({ wrong: expect.stringContaining('not a proof') });
  });

  it('whose amounts are no whole cents is no proof', () => {
    for (const amount of ['1.5', '-1', '01', '1e3', 5]) {
      const found = changed((file) => {
        const [piece] = (file.liabilities as { pieces: { amounts: unknown[] }[] }).pieces;
        piece?.amounts.splice(0, 1, amount);
      });
      expect(found, String(amount)).toHaveProperty('wrong');
    }
  });
});
