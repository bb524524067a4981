import { afterAll, beforeAll, describe, expect } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { newBitcoinAddress, operator } from '../../testing/money.ts';
import { dealings, satoshi, units } from '../../testing/outside/chain-server.ts';
import { it } from '../../testing/outside/evm/on-evm.ts';
import { startTwoChains, type TwoChains } from '../../testing/outside/two-chains.ts';
import { watchersOf } from '../../work.ts';
import { createCrediting } from './crediting.ts';

let both: TwoChains;
let node: TwoChains['node'];
let ethereum: TwoChains['anvil'];
let test: TwoChains['test'];
let server: TwoChains['server'];
let offers: TwoChains['offers'];
const { asked, payTo, wallet, requests, payments, confirm } = dealings(() => both.server.context);

beforeAll(async () => {
  both = await startTwoChains();
  ({ node, anvil: ethereum, test, server, offers } = both);
});
afterAll(() => both.close());

const pay = (address: string, coins: number) => node.send({ address, units: satoshi(coins) });
const read = () => both.read();
async function mined(blocks: number): Promise<void> {
  await node.mine(blocks);
  await read();
}
const stateOf = async (txid: string) => (await payments('bitcoin')).find((each) => each.txid === txid);
/** 0.001 coins at the demo's price. */
const cents = 6_841n;

describe('when blocks are replaced', () => {
  it.each([1, 3])(
    'payments in the last %i are taken back, and come again at their first price',
    async (depth) => {
      const [announced = '', silent = ''] = await newInvestors(test, 2);
      const request = await asked(announced, 70);
      const txid = await pay(request.paymentaddress, 0.001);
      const other = await pay((await payTo(silent)).address, 0.001);
      await mined(1);
      const [before] = await requests(announced);
      expect(before?.payment).toMatchObject({ txid, cents });
      await node.reorg(depth);
      await read();
      expect(await stateOf(txid)).toMatchObject({ state: 'vanished' });
      expect(await requests(announced)).toMatchObject([{ id: request.id, status: 'pending', payment: null }]);
      expect(await requests(silent)).toMatchObject([{ status: 'rejected', paymentId: null }]);
      await mined(2);
      expect([await wallet(announced), await wallet(silent)]).toEqual([cents, cents]);
      const [after] = await requests(announced);
      expect(after).toMatchObject({ id: request.id, status: 'confirmed' });
      expect(after?.payment).toMatchObject({ id: before?.payment?.id, priceAt: before?.payment?.priceAt });
      expect((await payments('bitcoin')).filter((each) => [txid, other].includes(each.txid))).toHaveLength(2);
    },
  );

  it('a first confirmation by the chain is taken back as well', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    await pay(request.paymentaddress, 0.2);
    await mined(2);
    expect(await requests(userId)).toMatchObject([{ firstConfirmedBy: 'chain' }]);
    await node.reorg(2, { drop: true });
    await read();
    expect(await requests(userId)).toMatchObject([
      { id: request.id, status: 'pending', firstConfirmedBy: null, chainTxid: null, payment: null },
    ]);
    // The request can be paid anew, or be closed.
    await pay(request.paymentaddress, 0.001);
    await mined(2);
    expect(await wallet(userId)).toBe(cents);
  });

  it('what had enough confirmations when it was looked at, and has fewer when it is decided, waits', async () => {
    const userId = await newInvestor(test);
    const txid = await pay((await payTo(userId)).address, 0.001);
    await mined(1);
    await node.mine(1);
    const { networks } = server.context;
    // Another server does as much as to read the second block.
    const [readOnly] = networks.readers({ ...watchersOf(server.context), afterReading: async () => {} });
    await readOnly?.();
    const creditAll = createCrediting({
      ...server.context,
      networks: {
        ...networks,
        async openPayments(input) {
          const looked = await networks.openPayments(input);
          await node.reorg(2);
          await mined(1);
          return looked;
        },
      },
    });
    await creditAll('bitcoin');
    expect(await stateOf(txid)).toMatchObject({ state: 'seen' });
    expect(await wallet(userId)).toBe(0n);
    await mined(1);
    expect(await wallet(userId)).toBe(cents);
  });

  it('on Ethereum too: what is in other blocks is added once', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 350, 'Ethereum');
    await ethereum.send({ to: request.paymentaddress, units: units(0.1, 18) });
    await ethereum.mine(5);
    await read();
    const [before] = await requests(userId);
    expect(before?.payment?.confirmations).toBe(5);
    await ethereum.reorg(5);
    await read();
    expect(await requests(userId)).toMatchObject([{ id: request.id, payment: null }]);
    await ethereum.mine(12);
    await read();
    const [after] = await requests(userId);
    expect(after).toMatchObject({
      id: request.id,
      status: 'confirmed',
      receivedCents: before?.payment?.cents,
    });
    expect(after?.payment?.height).toBeGreaterThan(before?.payment?.height ?? 0);
  });
});

describe('a credited payment that is gone', () => {
  const withdraw = (userId: string) =>
    server.context.withdrawal.askForWithdrawal({
      userId,
      methodId: offers.withdrawalMethods.Bitcoin,
      amountCents: 2_000n,
      address: newBitcoinAddress('bcrt'),
      idempotencyKey: null,
    });
  const unfreeze = (userId: string, by: string) =>
    server.context.withdrawal.unfreezeInvestor({ userId, reason: 'looked into it', actor: operator(by) });

  async function lost() {
    const userId = await newInvestor(test);
    const txid = await pay((await payTo(userId)).address, 0.001);
    await mined(2);
    expect(await wallet(userId)).toBe(cents);
    return { userId, txid };
  }

  it('freezes withdrawals of its investor and debits nothing; two operators unfreeze', async () => {
    const { userId, txid } = await lost();
    await node.reorg(3, { drop: true });
    await read();
    expect(await stateOf(txid)).toEqual({ txid, state: 'credited', lost: true });
    expect(await wallet(userId)).toBe(cents);
    expect(await requests(userId)).toMatchObject([{ status: 'confirmed', receivedCents: cents }]);
    const { withdrawal, owner } = server.context;
    expect(await withdrawal.freezeOf({ userId })).toMatchObject({ frozenBy: 'chain', afterLoss: true });
    expect(await outcomes([withdraw(userId)])).not.toEqual(['done']);
    const { rows } = await owner.query(`select action from audit_log where subject_id = $1`, [userId]);
    expect(rows).toContainEqual({ action: 'withdrawal.frozen' });

    expect(await unfreeze(userId, 'ada')).toEqual({ isOver: false });
    expect(await outcomes([unfreeze(userId, 'ada')])).toEqual(['second_operator_needed']);
    expect(await withdrawal.freezeOf({ userId })).toMatchObject({ firstUnfrozenBy: 'ada' });
    expect(await unfreeze(userId, 'ben')).toEqual({ isOver: true });
    expect(await withdrawal.freezeOf({ userId })).toBeNull();
    expect(await outcomes([withdraw(userId)])).toEqual(['done']);
    // It is not lost twice.
    await node.reorg(4);
    await read();
    expect(await withdrawal.freezeOf({ userId })).toBeNull();
  });

  it('is lost also when it was credited in the very moment in which its block went', async () => {
    const userId = await newInvestor(test);
    const chainTxid = await pay((await payTo(userId)).address, 0.2);
    await mined(2);
    const [request] = await requests(userId);
    const exact = { receivedCents: request?.receivedCents ?? 0n, chainTxid, by: 'ada' };
    await node.reorg(3, { drop: true });
    // The second pair of eyes has credited it, all but the last word.
    const held = await test.context.owner.connect();
    await held.query('begin');
    await held.query('lock table audit_log in share mode');
    const confirming = confirm(request?.id ?? '', { ...exact, chainOutput: request?.chainOutput ?? null });
    await blockedBackends(test, 1);
    const reading = read();
    await blockedBackends(test, 2);
    await held.query('commit');
    held.release();
    expect(await confirming).toMatchObject({ status: 'confirmed' });
    await reading;
    expect(await stateOf(chainTxid)).toEqual({ txid: chainTxid, state: 'credited', lost: true });
    expect(await server.context.withdrawal.freezeOf({ userId })).toMatchObject({ afterLoss: true });
  });

  it('needs two also where an operator had frozen before', async () => {
    const { userId } = await lost();
    await server.context.withdrawal.freezeInvestor({ userId, reason: 'odd', actor: operator('ada') });
    await unfreeze(userId, 'ada');
    await server.context.withdrawal.freezeInvestor({ userId, reason: 'odd', actor: operator('ada') });
    await node.reorg(3, { drop: true });
    await read();
    expect(await unfreeze(userId, 'ada')).toEqual({ isOver: false });
    expect(await unfreeze(userId, 'ben')).toEqual({ isOver: true });
  });

  it('is not lost any more once it is in a block again, and is credited no second time', async () => {
    const { userId, txid } = await lost();
    await node.reorg(3);
    await read();
    expect(await stateOf(txid)).toMatchObject({ lost: true });
    await mined(3);
    expect(await stateOf(txid)).toEqual({ txid, state: 'credited', lost: false });
    expect(await wallet(userId)).toBe(cents);
    expect(await server.context.withdrawal.freezeOf({ userId })).toMatchObject({ afterLoss: true });
    expect(await requests(userId)).toHaveLength(1);
  });

  it('cannot be named for anybody else', async () => {
    const { txid } = await lost();
    await node.reorg(3, { drop: true });
    await read();
    const other = await asked(await newInvestor(test), 70);
    const named = { receivedCents: cents, chainTxid: txid, by: 'ada' };
    expect(await outcomes([confirm(other.id, named)])).toEqual(['already_decided']);
  });
});
