import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../platform/app-error.ts';
import { refuseFee, sheetMsMax, spentAgain, withdrawalsPaid } from './rules.ts';

const few = fc.nat(3);
const at = (second: number) => new Date(1_800_000_000_000 + second * 1000);
const anOwed = fc.record({
  withdrawalId: fc.constantFrom('w1', 'w2', 'w3', 'w4', 'w5'),
  match: fc.constantFrom('one', 'other'),
  tag: fc.option(few.map(BigInt)),
  units: fc.nat(2).map((units) => BigInt(units + 1)),
  madeAt: few.map(at),
  txid: fc.option(fc.constantFrom('t1', 't2')),
  position: few,
  open: fc.boolean(),
});
const aSpend = fc.record({
  match: fc.constantFrom('one', 'other'),
  tag: fc.option(few.map(BigInt)),
  units: fc.nat(2).map((units) => BigInt(units + 1)),
  txid: fc.constantFrom('t1', 't2', 't3'),
  output: fc.option(few),
  seenAt: few.map(at),
});

describe('which withdrawal a payment pays', () => {
  it('is one, to that address, with that tag and amount, and not before it was owed', () => {
    const spends = fc
      .array(aSpend, { maxLength: 12 })
      .map((all) => all.map((one, n) => ({ ...one, id: `${n}` })));
    fc.assert(
      fc.property(spends, fc.array(anOwed, { maxLength: 12 }), (all, owed) => {
        const paid = withdrawalsPaid(all, owed);
        const used = [...paid.values()].map(({ id }) => id);
        expect(new Set(used).size).toBe(used.length);
        const fits = (one: (typeof all)[number], item: (typeof owed)[number]) =>
          item.match === one.match &&
          item.tag === one.tag &&
          item.units === one.units &&
          item.madeAt <= one.seenAt;
        for (const [id, one] of paid) {
          expect(owed.some((item) => item.withdrawalId === id && fits(one, item))).toBe(true);
        }
        // What pays nobody would have paid only such as are paid.
        for (const one of all.filter(({ id }) => !used.includes(id))) {
          for (const item of owed.filter((each) => fits(one, each)))
            expect(paid.has(item.withdrawalId)).toBe(true);
        }
      }),
    );
  });

  it('is that of its own sheet’s output, then one on an open sheet, then the oldest', () => {
    const item = {
      match: 'one',
      tag: null,
      units: 5n,
      madeAt: at(0),
      position: 0,
      open: false,
      txid: null as string | null,
    };
    const spend = { id: 's', match: 'one', tag: null, units: 5n, txid: 't', output: 2, seenAt: at(9) };
    const old = { ...item, withdrawalId: 'old' };
    const newer = { ...item, withdrawalId: 'newer', madeAt: at(1) };
    const open = { ...item, withdrawalId: 'open', madeAt: at(2), open: true };
    const own = { ...item, withdrawalId: 'own', madeAt: at(3), txid: 't', position: 2 };
    const first = (...owed: (typeof old)[]) => [...withdrawalsPaid([spend], owed).keys()];
    expect([first(newer, old), first(old, newer)]).toEqual([['old'], ['old']]);
    expect(first(newer, old, open)).toEqual(['open']);
    expect(first(newer, old, open, { ...own, withdrawalId: 'unsent', txid: null }, own)).toEqual(['own']);
    expect(first(open, { ...own, position: 1 })).toEqual(['open']);
    expect(first(open, { ...own, txid: 'of another sheet' })).toEqual(['open']);
    expect(first({ ...open, madeAt: at(4) }, open)).toEqual(['open']);
    expect([...withdrawalsPaid([spend], [{ ...old, madeAt: at(9) }]).values()]).toEqual([spend]);
    expect(first({ ...old, madeAt: at(10) })).toEqual([]);
  });
});

describe('what is spent again', () => {
  const aCoin = fc.record({
    paymentId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    isThere: fc.boolean(),
    spent: fc.option(
      fc.record({ txid: fc.constantFrom('t0', 'x', 'y'), height: fc.integer({ min: 1, max: 20 }) }),
    ),
  });
  const sheets = fc.array(fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }), { maxLength: 5 });

  it('is a coin of each that may still confirm, that is there and that nobody else holds; or it is refused', () => {
    const coins = fc.tuple(aCoin, aCoin, aCoin, aCoin, aCoin, aCoin);
    const held = fc.subarray(['0', '1', '2', '3', '4', '5']);
    fc.assert(
      fc.property(
        coins,
        sheets,
        held,
        fc.integer({ min: 0, max: 20 }),
        (all, made, elsewhere, buriedHeight) => {
          const rows = all.map(({ isThere, spent }, n) => ({
            paymentId: String(n),
            isThere,
            spentTxid: spent?.txid ?? null,
            spentHeight: spent?.height ?? null,
          }));
          const released = made.map((inputs, n) => ({
            number: n + 1,
            txid: `t${n}`,
            inputs: inputs.flatMap((each) => rows[each] ?? []),
          }));
          const heldElsewhere = new Set(elsewhere);
          const answer = spentAgain(released, { heldElsewhere, buriedHeight });
          const isSent = released.some(({ txid, inputs }) =>
            inputs.some(({ spentTxid }) => spentTxid === txid),
          );
          const mayConfirm = released.filter(({ inputs }) =>
            inputs.every(({ spentHeight }) => spentHeight === null || spentHeight > buriedHeight),
          );
          const isUsable = (row: (typeof rows)[number]) =>
            row.isThere && row.spentTxid === null && !heldElsewhere.has(row.paymentId);
          if ('refused' in answer) {
            expect(isSent || mayConfirm.some(({ inputs }) => !inputs.some(isUsable))).toBe(true);
            return;
          }
          expect(isSent).toBe(false);
          for (const { inputs } of mayConfirm) {
            expect(inputs.some(({ paymentId }) => answer.mustSpend.includes(paymentId))).toBe(true);
          }
          for (const id of answer.mustSpend)
            expect(isUsable(rows[Number(id)] as (typeof rows)[number])).toBe(true);
        },
      ),
    );
  });

  const coin = { paymentId: 'a', isThere: true, spentTxid: null, spentHeight: null };
  const sheet = (
    number: number,
    ...inputs: (Partial<typeof coin> | { spentTxid: string; spentHeight: number })[]
  ) => ({ number, txid: `t${number}`, inputs: inputs.map((each) => ({ ...coin, ...each })) });
  const again = (sheets: ReturnType<typeof sheet>[], heldElsewhere: string[] = []) =>
    spentAgain(sheets, { heldElsewhere: new Set(heldElsewhere), buriedHeight: 10 });
  const mayConfirm = refuse(
    'already_decided',
    'Sheet 4 was released, and its transaction may still confirm. None of its coins can be spent again at present, so nothing else can pay its withdrawals.',
  );

  it('is the first coin of a sheet that can be, and one for several sheets that share it', () => {
    expect(again([])).toEqual({ mustSpend: [] });
    expect(again([sheet(4, { paymentId: 'a' }, { paymentId: 'b' })])).toEqual({ mustSpend: ['a'] });
    expect(again([sheet(4, { paymentId: 'a' }, { paymentId: 'b' })], ['a'])).toEqual({ mustSpend: ['b'] });
    expect(again([sheet(4, { paymentId: 'a' }), sheet(5, { paymentId: 'b' }, { paymentId: 'a' })])).toEqual({
      mustSpend: ['a'],
    });
  });
  it('is nothing of a sheet one of whose coins is spent for good', () => {
    const spent = (spentHeight: number) =>
      again([sheet(4, { isThere: false }, { spentTxid: 'x', spentHeight })]);
    expect([spent(9), spent(10)]).toEqual([{ mustSpend: [] }, { mustSpend: [] }]);
    expect(spent(11)).toEqual(mayConfirm);
  });
  it('is refused while no coin can be, and where the sheet was sent after all', () => {
    for (const unusable of [{ isThere: false }, { spentTxid: 'x', spentHeight: 11 }])
      expect(again([sheet(4, unusable)])).toEqual(mayConfirm);
    expect(again([sheet(4, {})], ['a'])).toEqual(mayConfirm);
    expect(again([sheet(4, { paymentId: 'b' }, { spentTxid: 't4', spentHeight: 3 })])).toEqual(
      refuse(
        'already_decided',
        'Sheet 4 was sent: Bitcoin shows its transaction. What it pays is marked as paid by itself.',
      ),
    );
  });
});

it('a sheet that nobody has claimed holds its coins for half an hour', () => {
  expect(sheetMsMax).toBe(30 * 60_000);
});

describe('the fee of a transaction', () => {
  it.each([
    [20_000n, 0n],
    [20_001n, 80_004n],
    [25_000n, 100_000n],
  ])('of %d satoshi for payments of %d is taken', (fee, paid) => {
    expect(refuseFee(fee, paid)).toBeNull();
  });
  it('of more than a quarter of what it pays is refused', () => {
    expect(refuseFee(20_001n, 80_003n)).toEqual(
      refuse(
        'outside_range',
        'The fee would be 20001 satoshi for payments of 80003: more than a quarter. Choose a lower fee rate, or pay more at once.',
      ),
    );
  });
});
