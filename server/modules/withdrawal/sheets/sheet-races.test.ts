import { afterAll, describe, expect, it } from 'vitest';
import { outcomes, times } from '../../../testing/at-once.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { signed, startBitcoinPayouts } from '../../../testing/outside/payouts.ts';

const { node, test, server, other, some, mined, deals, close } = await startBitcoinPayouts();
const { make, claim, release, sheet, statusOf, pay } = deals;
afterAll(close);

const coinsOf = ({ inputs }: { inputs: { paymentId: string }[] }) => inputs.map(({ paymentId }) => paymentId);

describe('who asks for the same at once', () => {
  it('gets one sheet of the same withdrawals, on however many servers', async () => {
    for (const round of times(4, (n) => n)) {
      const ids = await some(2);
      const wish = { network: 'bitcoin', satPerVbyte: 2 + round } as const;
      const tries = times(6, (n) =>
        (n % 2 ? server : other).context.withdrawal.makeSheet({
          ...wish,
          withdrawalIds: n < 3 ? ids : ids.toReversed(),
          actor: { kind: 'operator', id: `operator ${n}` },
        }),
      );
      expect((await outcomes(tries)).sort()).toEqual([...times(5, () => 'already_decided'), 'done']);
      const open = (await server.context.withdrawal.sheets()).open.filter(({ items }) =>
        items.some(({ withdrawalId }) => ids.includes(withdrawalId)),
      );
      expect(open).toHaveLength(1);
      await server.context.withdrawal.discardSheet({
        sheetId: open[0]?.id ?? '',
        actor: { kind: 'operator', id: 'ada' },
      });
    }
  });

  it('waits for no further connection, however many wait for the first', async () => {
    const [id = ''] = await some(1);
    const connections = 20;
    const results = await outcomes(times(connections + 5, () => make([id])));
    expect(results.filter((result) => result !== 'already_decided')).toEqual(['done']);
    const { withdrawal } = server.context;
    const made = (await withdrawal.sheets()).open.find(({ items }) => items[0]?.withdrawalId === id);
    const actor = { kind: 'operator', id: 'ada' } as const;
    await withdrawal.discardSheet({ sheetId: made?.id ?? '', actor });
    await withdrawal.rejectWithdrawal({ withdrawalId: id, reason: 'no', actor, idempotencyKey: null });
  });

  it('gets sheets of different withdrawals that share no coin', async () => {
    const ids = await some(4, 60);
    const tries = ids.map((id, n) =>
      (n % 2 ? server : other).context.withdrawal.makeSheet({
        network: 'bitcoin',
        withdrawalIds: [id],
        satPerVbyte: 3,
        actor: { kind: 'operator', id: 'ada' },
      }),
    );
    const made = (await Promise.allSettled(tries)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    expect(made.length).toBeGreaterThan(1);
    const coins = made.flatMap(coinsOf);
    expect(new Set(coins).size).toBe(coins.length);
    const change = made.map(({ changePath }) => changePath);
    expect(new Set(change).size).toBe(change.length);
    test.clock.advance(31 * minuteMs);
    await server.context.withdrawal.expireSheets();
    // A price is fetched behind the old one.
    await expect.poll(() => server.context.networks.freshPrice('bitcoin')).not.toBeNull();
    await expect.poll(() => other.context.networks.freshPrice('bitcoin')).not.toBeNull();
  });

  it('claims a sheet once, and not one that expires, is dropped or whose withdrawal is rejected meanwhile', async () => {
    const { withdrawal } = server.context;
    for (const round of times(6, (n) => n)) {
      const [id = ''] = await some(1);
      const made = await make([id]);
      const actor = { kind: 'operator', id: 'ben' } as const;
      const against = [
        () => withdrawal.discardSheet({ sheetId: made.id, actor }),
        () => withdrawal.rejectWithdrawal({ withdrawalId: id, reason: 'no', actor, idempotencyKey: null }),
        () => claim(made, 'eve'),
      ][round % 3] as () => Promise<unknown>;
      const results = await outcomes([claim(made), against(), claim(made, 'eve')]);
      const { state } = await sheet(made);
      const { status } = await statusOf(id);
      const claims = [results[0], results[2], ...(round % 3 === 2 ? [results[1]] : [])];
      expect(claims.filter((one) => one === 'done')).toHaveLength(state === 'claimed' ? 1 : 0);
      // On a sheet that stands it is neither rejected nor free.
      expect([state, status]).toEqual([
        results[1] === 'done' && round % 3 === 0 ? 'expired' : 'claimed',
        'approved',
      ]);
      if (state === 'claimed') await release(made);
    }
  });
});

it('a sheet of which the last payments are marked at once has ended', async () => {
  for (const _ of times(4, (n) => n)) {
    const ids = await some(2, 20);
    const made = await claim(await make(ids));
    for (const [at, id] of ids.entries()) await pay(id, 'ada', made.txid ?? '', at);
    const second = ids.map((withdrawalId, at) =>
      (at ? server : other).context.withdrawal.markWithdrawalPaid({
        withdrawalId,
        chainTxid: made.txid ?? '',
        chainOutput: at,
        idempotencyKey: null,
        actor: { kind: 'operator', id: 'ben' },
      }),
    );
    expect(await outcomes(second)).toEqual(['done', 'done']);
    expect((await sheet(made)).state).toBe('paid');
  }
});

it('a payment that gets into a later block while it is being marked as paid waits for its confirmations again', async () => {
  const [id = ''] = await some(1, 40);
  const made = await claim(await make([id]));
  await node.broadcast(signed(made.psbt));
  await node.mine(2);
  const holder = await test.context.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('select from withdrawals where id = $1 for update', [id]);
    const reading = server.read();
    const waiting =
      'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()';
    await expect.poll(async () => (await test.context.owner.query(waiting)).rowCount).toBe(1);
    // As whoever reads the chain meanwhile writes it down.
    await holder.query('update network_spends set height = height + 1 where txid = $1', [made.txid]);
    await holder.query('commit');
    await reading;
  } finally {
    holder.release();
  }
  expect((await sheet(made)).items).toMatchObject([{ status: 'approved', seen: { confirmations: 1 } }]);
  await mined(1);
  expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: made.txid, by: 'chain' });
});
