import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spentAgain, withdrawalsPaid } from './rules.ts';

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
    expect(first(newer, old)).toEqual(['old']);
    expect(first(newer, old, open)).toEqual(['open']);
    expect(first(newer, old, open, { ...own, txid: null }, own)).toEqual(['own']);
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
            ...{
              paymentId: String(n),
              isThere,
              spentTxid: spent?.txid ?? null,
              spentHeight: spent?.height ?? null,
            },
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
});
