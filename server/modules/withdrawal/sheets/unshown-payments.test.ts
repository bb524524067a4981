import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { outcomes, times } from '../../../testing/at-once.ts';
import { newTxid, operator } from '../../../testing/money.ts';
import { signed, startBitcoinPayouts } from '../../../testing/outside/payouts.ts';

/** What the server would call somebody for. */
const alerts: { alert?: boolean; msg: string }[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void alerts.push(JSON.parse(line)) });

const { node, test, server, userId, mined, deals, close } = await startBitcoinPayouts(logger);
const { approved, make, claim, release, sheet, reject, statusOf, paidOut, pay } = deals;
afterAll(close);

const one = (dollars = 100) => approved({ userId, dollars });
const odd = () => server.context.withdrawal.oddPayouts();

describe('one operator alone pays nothing that the chain does not show', () => {
  it('he is the first of two, and the second names exactly the same', async () => {
    const id = await one();
    const before = await paidOut();
    const txid = newTxid();
    expect(await pay(id, 'ada', txid, 3)).toMatchObject({ status: 'approved', firstPaidBy: 'ada' });
    const alone = [pay(id, 'ada', txid, 3), pay(id, 'ada', newTxid())];
    expect(await outcomes(alone)).toEqual(['second_operator_needed', 'second_operator_needed']);
    const others = [pay(id, 'ben', newTxid()), pay(id, 'ben', txid, 4), pay(id, 'ben', txid)];
    expect(await outcomes(others)).toEqual(times(3, () => 'already_decided'));
    expect(await paidOut()).toBe(before);
    const otherOne = await one();
    expect(await outcomes([pay(otherOne, 'ben', txid, 3), pay(otherOne, 'ben', txid)])).toEqual(
      times(2, () => 'already_decided'),
    );
    expect(await pay(id, 'ben', txid.toUpperCase(), 3)).toMatchObject({ status: 'paid', endedBy: 'ben' });
    expect((await paidOut()) - before).toBe(10_000n);
  });

  it('and is so in the database, too', async () => {
    const id = await one();
    await pay(id, 'ada', newTxid(), 0);
    const write = (set: string) =>
      test.context.owner.query(`update withdrawals set ${set} where id = $1`, [id]);
    const ended = `status = 'paid', ended_at = now(), chain_txid = coalesce(chain_txid, '${newTxid()}')`;
    await expect(write(`${ended}, ended_by = 'ada'`)).rejects.toThrow('withdrawals_two_pay');
    await expect(write(`${ended}, ended_by = 'ben', chain_output = 7`)).rejects.toThrow('another payment');
    await expect(write(`${ended}, ended_by = 'chain'`)).rejects.toThrow('withdrawals_by_chain');
    expect(await statusOf(id)).toMatchObject({ status: 'approved', first: 'ada' });
  });

  it('at once they are one first and one second, however many press', async () => {
    for (const _ of times(3, (n) => n)) {
      const id = await one(20);
      const before = await paidOut();
      const txid = newTxid();
      const results = await outcomes(times(8, (n) => pay(id, n % 2 ? 'ada' : 'ben', txid, 0)));
      expect(results.filter((result) => result === 'done')).toHaveLength(2);
      expect((await paidOut()) - before).toBe(2_000n);
      const { rows } = await test.context.owner.query('select final from payment_claims where txid = $1', [
        txid,
      ]);
      expect(rows).toEqual([{ final: true }]);
    }
  });

  it('what the first named can be dropped, is not rejected over, and is put on no sheet', async () => {
    const id = await one();
    const { withdrawal } = server.context;
    const txid = newTxid();
    await pay(id, 'ada', txid);
    expect(await outcomes([reject(id, 'ben'), make([id])])).toEqual(['already_decided', 'already_decided']);
    const drop = () => withdrawal.dropPayment({ id, actor: operator('ben') });
    expect(await outcomes([drop()])).toEqual(['done']);
    expect(await outcomes([drop()])).toEqual(['already_decided']);
    // It is free for another.
    const otherOne = await one();
    expect(await pay(otherOne, 'ben', txid)).toMatchObject({ firstPaidBy: 'ben' });
    expect(await outcomes([reject(id, 'ben')])).toEqual(['done']);
  });

  it('and the whole of a transaction that pays several is nobody’s payment', async () => {
    const ids = [await one(), await one()];
    const { txid } = await claim(await make(ids));
    expect(await outcomes([pay(ids[0] ?? '', 'ada', txid ?? '')])).toEqual(['outside_range']);
    expect(await outcomes([pay(ids[0] ?? '', 'ada', txid ?? '', 0)])).toEqual(['done']);
  });
});

describe('what the chain shows', () => {
  it('goes before what somebody has named, for the same withdrawal and for another', async () => {
    const [id, thief] = [await one(), await one()];
    const { psbt, txid } = await claim(await make([id]));
    // Named for another withdrawal, and the right one with another payment.
    await pay(thief, 'eve', txid ?? '', 0);
    await pay(id, 'eve', newTxid(), 1);
    await node.broadcast(signed(psbt));
    await mined();
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid, output: 0, by: 'chain', first: null });
    expect(await statusOf(thief)).toEqual({
      status: 'approved',
      txid: null,
      output: null,
      by: null,
      first: null,
    });
    expect(await outcomes([pay(thief, 'ben', txid ?? '', 0)])).toEqual(['already_decided']);
  });

  it('is recorded also while the investor is frozen, or all are', async () => {
    const id = await one();
    const { psbt } = await claim(await make([id]));
    const frozen = { userId, reason: 'looked into', actor: operator('ada') };
    await server.context.withdrawal.freezeInvestor(frozen);
    await node.broadcast(signed(psbt));
    await mined();
    expect(await statusOf(id)).toMatchObject({ status: 'paid', by: 'chain' });
    await server.context.withdrawal.unfreezeInvestor(frozen);
  });

  it('and no sheet explains calls somebody, once, and is listed until two say what it was', async () => {
    const id = await one(30);
    const lone = await one(31);
    const made = await claim(await make([id]));
    await release(made);
    // Somebody with the keys spends the coins otherwise: here, what a released sheet had as its own.
    await reject(id, 'ada');
    const before = alerts.length;
    await node.broadcast(signed(made.psbt));
    await mined(1);
    const [unknown] = await odd();
    expect(unknown).toMatchObject({ txid: made.txid, output: 0, transactionid: null, confirmations: 1 });
    await mined(2);
    expect(alerts.slice(before)).toMatchObject([
      { alert: true, msg: 'coins of ours went where no payout sheet sent them', txid: made.txid },
    ]);
    await pay(lone, 'ada', made.txid ?? '', 0);
    expect(await odd()).toHaveLength(1);
    await pay(lone, 'ben', made.txid ?? '', 0);
    expect(await odd()).toEqual([]);
  });
});

describe('when blocks are replaced', () => {
  it('what was seen is taken back with the coins, and comes again', async () => {
    const id = await one();
    const made = await claim(await make([id]));
    await node.broadcast(signed(made.psbt));
    await mined(1);
    expect((await sheet(made)).inputs.every(({ spentTxid }) => spentTxid === made.txid)).toBe(true);
    await node.reorg(1);
    await server.read();
    expect((await sheet(made)).items).toMatchObject([{ seen: null, status: 'approved' }]);
    expect((await sheet(made)).inputs.every(({ spentTxid }) => spentTxid === null)).toBe(true);
    await mined();
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: made.txid });
    expect((await sheet(made)).inputs.every(({ spentTxid }) => spentTxid === made.txid)).toBe(true);
  });

  it('a withdrawal that was marked paid stays so: somebody is called, and it is listed until it is there again', async () => {
    const id = await one();
    const made = await claim(await make([id]));
    await node.broadcast(signed(made.psbt));
    await mined();
    const out = await paidOut();
    const before = alerts.length;
    await node.reorg(3);
    await server.read();
    expect(await statusOf(id)).toMatchObject({ status: 'paid' });
    expect(await paidOut()).toBe(out);
    const lost = (await odd()).filter(({ txid }) => txid === made.txid);
    expect(lost).toMatchObject([{ transactionid: expect.stringMatching(/^TS-/), confirmations: 0 }]);
    expect(alerts.slice(before).map(({ msg }) => msg)).toContain(
      'a payout that was marked as paid is gone from its chain',
    );
    await mined();
    expect((await odd()).filter(({ txid }) => txid === made.txid)).toEqual([]);
    expect(await paidOut()).toBe(out);
  });
});

describe('the database holds', () => {
  const query = (text: string, values: unknown[] = []) => test.context.owner.query(text, values);

  it('that a sheet is what it was made, goes one way, and is released by two', async () => {
    const made = await make([await one()]);
    const set = (change: string) => query(`update payout_sheets set ${change} where id = $1`, [made.id]);
    for (const change of [
      'price = 1',
      'psbt = null',
      `txid = 'other'`,
      'fee_units = 1',
      'expires_at = now()',
    ])
      await expect(set(change)).rejects.toThrow();
    await expect(
      set(`state = 'released', ended_at = now(), released_at = now(), released_by = 'ada'`),
    ).rejects.toThrow();
    await expect(set(`state = 'paid', ended_at = now()`)).rejects.toThrow('paid when all of it is');
    await claim(made);
    await expect(set(`claimed_by = 'eve'`)).rejects.toThrow('claimed');
    await expect(set(`state = 'expired', ended_at = now()`)).rejects.toThrow();
    const first = `first_released_by = 'ada', first_released_at = now(), first_released_reason = 'x'`;
    await expect(
      set(`state = 'released', ended_at = now(), released_at = now(), released_by = 'ada', ${first}`),
    ).rejects.toThrow('payout_sheets_two_release');
    await release(made);
    await expect(set(`state = 'claimed'`)).rejects.toThrow();
    await expect(query('delete from payout_sheets')).rejects.toThrow();
  });

  it('that what is on one open sheet is on no other, and neither is a coin', async () => {
    const made = await make([await one()]);
    const rival = await make([await one()]);
    const [item] = made.items;
    await expect(
      query(
        `insert into payout_items (sheet_id, position, withdrawal_id, match, units) values ($1, 7, $2, 'x', 1)`,
        [rival.id, item?.withdrawalId],
      ),
    ).rejects.toThrow('payout_items_once');
    await expect(
      query('insert into payout_inputs (sheet_id, position, payment_id) values ($1, 7, $2)', [
        rival.id,
        made.inputs[0]?.paymentId,
      ]),
    ).rejects.toThrow('payout_inputs_once');
    await expect(
      query('update payout_items set open = false where sheet_id = $1', [made.id]),
    ).rejects.toThrow();
    await expect(
      query(`update withdrawals set status = 'rejected', reason = 'x', ended_at = now() where id = $1`, [
        item?.withdrawalId,
      ]),
    ).rejects.toThrow('on a payout sheet');
  });
});
