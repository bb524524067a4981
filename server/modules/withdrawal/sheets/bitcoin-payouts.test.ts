import { afterAll, describe, expect, it } from 'vitest';
import { outcomes, times } from '../../../testing/at-once.ts';
import { newBitcoinAddress } from '../../../testing/money.ts';
import { signed, startBitcoinPayouts } from '../../../testing/outside/payouts.ts';

const { node, test, server, other, userId, mined, fund, some, deals, close } = await startBitcoinPayouts();
const { approved, make, claim, release, sheet, reject, statusOf, paidOut } = deals;
afterAll(close);

const coinsOf = ({ inputs }: { inputs: { paymentId: string }[] }) => inputs.map(({ paymentId }) => paymentId);
const spendable = () => server.context.withdrawal.spendableUnits('bitcoin');

describe('a payout on Bitcoin', () => {
  it('pays three withdrawals by one transaction, signed elsewhere, and is marked paid by itself', async () => {
    const ids = await some(3);
    const before = { out: await paidOut(), coins: (await spendable()) ?? 0n };
    const made = await make(ids);
    const total = made.inputs.reduce((sum, { units }) => sum + units, 0n);
    const owed = made.items.reduce((sum, { units }) => sum + units, 0n);
    expect(made.items.map(({ units, amountCents }) => [units, amountCents])).toEqual(
      times(3, (n) => [(BigInt(100 + n) * 10n ** 9n) / 700_005n, BigInt(100 + n) * 100n]),
    );
    expect(total).toBe(owed + (made.changeUnits ?? 0n) + (made.feeUnits ?? 0n));
    expect(made.changePath).toBe("m/84'/1'/0'/1/0");
    expect(await spendable()).toBe(before.coins - total);
    const { psbt, txid } = await claim(made);
    expect(await node.broadcast(signed(psbt))).toBe(txid);
    await mined(1);
    const seen = await sheet(made);
    expect(seen.items.map(({ seen, status }) => [seen?.confirmations, status])).toEqual(
      times(3, () => [1, 'approved']),
    );
    await mined(1);
    expect(await Promise.all(ids.map(statusOf))).toEqual(
      times(3, (output) => ({ status: 'paid', txid, output, by: 'chain', first: null })),
    );
    expect((await sheet(made)).state).toBe('paid');
    expect((await paidOut()) - before.out).toBe(30_300n);
    expect(await server.context.withdrawal.oddPayouts()).toEqual([]);
    // What came back is spendable again, and nobody's deposit.
    expect(await spendable()).toBe(before.coins - owed - (made.feeUnits ?? 0n));
    const { rows } = await test.context.owner.query(
      `select p.state from network_payments p join network_addresses a on a.id = p.address_id where a.purpose = 'change'`,
    );
    expect(rows).toEqual([{ state: 'ours' }]);
    const { withdrawals } = await server.context.withdrawal.pageOfWithdrawals({
      userId,
      status: 'paid',
      page: 1,
    });
    expect(withdrawals.map(({ coins }) => coins?.units)).toEqual(
      expect.arrayContaining(made.items.map(({ units }) => units)),
    );
  });

  it('is seen by a server that has just started, and by whichever reads', async () => {
    const [id = ''] = await some(1);
    const { psbt } = await claim(await make([id]));
    await server.restart();
    await node.broadcast(signed(psbt));
    await node.mine(1);
    await other.read();
    await server.restart();
    await node.mine(1);
    await server.read();
    expect(await statusOf(id)).toMatchObject({ status: 'paid', by: 'chain' });
  });

  it('with the same amount to the same address twice takes an output for each', async () => {
    const address = newBitcoinAddress('bcrt');
    const ids = [
      await approved({ userId, dollars: 50, address }),
      await approved({ userId, dollars: 50, address }),
    ];
    const { psbt } = await claim(await make(ids));
    await node.broadcast(signed(psbt));
    await mined();
    const paid = await Promise.all(ids.map(statusOf));
    expect(paid.map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect(paid.map(({ output }) => output).sort()).toEqual([0, 1]);
  });

  it('is read once, however many servers read at the same time', async () => {
    const ids = await some(3);
    const before = await paidOut();
    const { psbt } = await claim(await make(ids));
    await node.broadcast(signed(psbt));
    await node.mine(2);
    await Promise.all([server.read(), other.read(), server.read(), other.read()]);
    await mined(1);
    expect((await paidOut()) - before).toBe(30_300n);
  });
});

describe('a sheet that was released', () => {
  it('and sent all the same is not given back to the wallet as well', async () => {
    const [id = ''] = await some(1, 42);
    const first = await claim(await make([id]));
    await release(first);
    await node.broadcast(signed(first.psbt));
    await mined(1);
    expect(await outcomes([reject(id, 'ada')])).toEqual(['already_decided']);
    await mined(1);
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: first.txid });
  });

  it('is remade so that only one of both can confirm, whichever is sent', async () => {
    for (const sent of ['first', 'second'] as const) {
      const ids = await some(2, 80);
      const before = await paidOut();
      const first = await claim(await make(ids));
      await release(first);
      // A larger coin would be taken first.
      await fund(sent === 'first' ? 0.05 : 0.06);
      await mined();
      const second = await claim(await make([ids[1] ?? '', ids[0] ?? '']));
      expect(second.replaces).toContain(first.number);
      expect(coinsOf(first).some((coin) => coinsOf(second).includes(coin))).toBe(true);
      const [winner, loser] = sent === 'first' ? [first, second] : [second, first];
      await node.broadcast(signed(winner.psbt));
      await expect(node.broadcast(signed(loser.psbt))).rejects.toThrow();
      await mined();
      // It may lie about what waits for a coin that is gone; that never gets into a block.
      await node.broadcast(signed(loser.psbt)).catch(() => {});
      await mined(2);
      expect(await Promise.all(ids.map(statusOf))).toMatchObject(
        times(2, () => ({ status: 'paid', txid: winner.txid })),
      );
      expect((await paidOut()) - before).toBe(16_100n);
      expect((await sheet(second)).state).toBe('paid');
    }
  });

  it('needs a coin of each before it, and of none that cannot confirm any more', async () => {
    const [id = ''] = await some(1, 40);
    const first = await claim(await make([id]));
    await release(first);
    const second = await claim(await make([id]));
    await release(second);
    const third = await make([id]);
    expect(third.replaces).toEqual(expect.arrayContaining([first.number, second.number]));
    await server.context.withdrawal.discardSheet({
      sheetId: third.id,
      actor: { kind: 'operator', id: 'ada' },
    });
    // Another withdrawal is paid with the same coin: then none of the earlier ones can be sent.
    const [rival = ''] = await some(1, 45);
    const coins = new Set([...coinsOf(first), ...coinsOf(second)]);
    const others = await make([rival]);
    expect(coinsOf(others).some((coin) => coins.has(coin))).toBe(true);
    await node.broadcast(signed((await claim(others)).psbt));
    await mined();
    const fourth = await make([id]);
    expect(coinsOf(fourth).filter((coin) => coins.has(coin))).toEqual([]);
    expect(fourth.replaces).toEqual([]);
    await node.broadcast(signed((await claim(fourth)).psbt));
    await mined();
    expect(await statusOf(id)).toMatchObject({ status: 'paid' });
  });

  it('is not remade once its transaction is seen, nor released then; it is marked paid all the same', async () => {
    const [id = ''] = await some(1, 40);
    const first = await claim(await make([id]));
    const late = await claim(await make(await some(1, 41)));
    await release(first);
    await node.broadcast(signed(first.psbt));
    await node.broadcast(signed(late.psbt));
    await mined(1);
    const tries = await outcomes([make([id]), release(late)]);
    expect(tries).toEqual(['already_decided', 'already_decided']);
    await mined(1);
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: first.txid });
    expect((await sheet(first)).state).toBe('released');
    expect((await sheet(late)).state).toBe('paid');
  });
});

it('the books are right after all of it', async () => {
  expect(await server.context.ledger.checkBooks()).toMatchObject({ findings: [] });
});
