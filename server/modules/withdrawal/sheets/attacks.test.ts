import { Transaction } from '@scure/btc-signer';
import { afterAll, describe, expect, it } from 'vitest';
import { outcomes } from '../../../testing/at-once.ts';
import { newTxid, operator } from '../../../testing/money.ts';
import { signed, startBitcoinPayouts } from '../../../testing/outside/payouts.ts';
import { psbtOf } from '../../operator/payouts/wire.ts';

const { node, test, server, userId, mined, some, deals, close } = await startBitcoinPayouts();
const { approved, make, claim, release, sheet, pay, reject, statusOf, paidOut } = deals;
afterAll(close);

const wallet = async () => (await server.context.ledger.summary({ userId })).availableCents;

describe('what the chain shows as paid', () => {
  it('does not go back to the wallet before it is confirmed', async () => {
    const [id = ''] = await some(1, 40);
    const made = await claim(await make([id]));
    await release(made);
    await node.broadcast(signed(made.psbt));
    await mined(1);
    const before = { out: await paidOut(), wallet: await wallet() };
    expect(await outcomes([reject(id)])).toEqual(['already_decided']);
    await expect(
      test.context.owner.query(
        `update withdrawals set status = 'rejected', reason = 'x', ended_at = now() where id = $1`,
        [id],
      ),
    ).rejects.toThrow('the chain shows');
    await mined(1);
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: made.txid });
    expect(await wallet()).toBe(before.wallet);
    expect((await paidOut()) - before.out).toBe(4_000n);
  });

  it('can be rejected once its block is gone', async () => {
    const [id = ''] = await some(1, 40);
    const made = await claim(await make([id]));
    await release(made);
    await node.broadcast(signed(made.psbt));
    await mined(1);
    await node.reorg(1);
    await server.read();
    expect(await outcomes([reject(id)])).toEqual(['done']);
    // Sent all the same: nothing explains it, and somebody is called.
    await mined();
    const odd = await server.context.withdrawal.oddPayouts();
    expect(odd.map(({ txid }) => txid)).toContain(made.txid);
  });

  it('is not said to be unpaid by two, although the wallet raised the fee', async () => {
    const [id = ''] = await some(1, 40);
    const first = await claim(await make([id]));
    await release(first);
    // Another transaction with the same coins pays the same: as one with a higher fee does.
    const second = await claim(await make([id]));
    await node.broadcast(signed(first.psbt));
    await mined(1);
    expect(await outcomes([release(second)])).toEqual(['already_decided']);
    await mined(1);
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: first.txid });
  });
});

describe('a fee', () => {
  const make = (id: string, satPerVbyte: number) =>
    server.context.withdrawal.makeSheet({
      network: 'bitcoin',
      withdrawalIds: [id],
      satPerVbyte,
      actor: operator('eve'),
    });

  it('is not more than a part of what is paid', async () => {
    const [id = ''] = await some(1, 40);
    expect(await outcomes([make(id, 5_000)])).toEqual(['outside_range']);
    expect(await outcomes([make(id, 400)])).toEqual(['outside_range']);
    expect(await outcomes([make(id, 20)])).toEqual(['done']);
  });
});

it('the file for the wallet pays what the sheet shows and nothing else', async () => {
  const made = await claim(await make(await some(3, 50)));
  const transaction = Transaction.fromPSBT(made.psbt ?? new Uint8Array());
  const spent = Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { txid, index, witnessUtxo } = transaction.getInput(at);
    return [Buffer.from(txid ?? []).toString('hex'), index, witnessUtxo?.amount];
  });
  expect(spent).toEqual(made.inputs.map(({ txid, output, units }) => [txid, output, units]));
  const paid = Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { script, amount } = transaction.getOutput(at);
    return [Buffer.from(script ?? []).toString('hex'), amount];
  });
  const { destinationKey } = server.context.networks;
  const shown = [
    ...made.items.map(({ address, units }) => [destinationKey('bitcoin', address), units]),
    [destinationKey('bitcoin', made.changeAddress ?? ''), made.changeUnits],
  ];
  expect(paid).toEqual(shown);
  const sum = (rows: unknown[][]) => rows.reduce((all, row) => all + (row.at(-1) as bigint), 0n);
  expect(sum(spent) - sum(paid)).toBe(made.feeUnits);
  const { rows } = await test.context.owner.query(
    `select purpose, owner_id from network_addresses where address = $1`,
    [made.changeAddress],
  );
  expect(rows).toEqual([{ purpose: 'change', owner_id: null }]);
});

it('the whole of a transaction is no payment of one that was to be paid with others, whatever its id', async () => {
  const [first = '', second = ''] = await some(2, 50);
  const made = await claim(await make([first, second]));
  // The wallet raised the fee: nobody has seen this id, and it pays both.
  const raised = newTxid();
  expect(await outcomes([pay(first, 'ada', raised)])).toEqual(['outside_range']);
  expect(await outcomes([pay(first, 'ada', raised, 0)])).toEqual(['done']);
  expect(await outcomes([pay(first, 'ben', raised, 0)])).toEqual(['done']);
  // Its output is free for the other, and its sheet gives out nothing that would pay the first again.
  expect(await outcomes([pay(second, 'ada', raised, 1)])).toEqual(['done']);
  expect(psbtOf(await sheet(made))).toBeNull();
});

describe('an address of our own', () => {
  it('is nobody’s to withdraw to, whether change, cold or another investor’s', async () => {
    const { rows } = await test.context.owner.query<{ address: string }>(
      `select distinct on (purpose) address from network_addresses where family = 'bitcoin' order by purpose`,
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { address } of rows) {
      expect(await outcomes([approved({ userId, dollars: 20, address: address.toUpperCase() })])).toEqual([
        'address_wrong',
      ]);
    }
  });
});
