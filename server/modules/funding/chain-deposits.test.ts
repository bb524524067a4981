import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { operator, withOffers } from '../../testing/money.ts';
import { type BitcoinNode, startBcoin } from '../../testing/outside/bcoin.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../testing/outside/seeds.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { watchersOf } from '../../work.ts';

let node: BitcoinNode;
let test: TestApp;
const key = publicKeyAt(masterKeyOf(publishedWords), "m/84'/1'/0'", 'vpub');

beforeAll(async () => {
  node = await startBcoin();
  test = await startTestApp({ BITCOIN_NETWORK: 'regtest', BITCOIN_RPC_URL: node.url });
  await withOffers(test);
  const { funding } = test.context;
  const bitcoin = (await funding.allPaymentMethods()).find(({ paymentname }) => paymentname === 'Bitcoin');
  await funding.proposeAddress({
    methodId: bitcoin?.id ?? '',
    source: 'derived',
    paymentaddress: '',
    key,
    actor: operator('ada'),
  });
  const [waiting] = await funding.waitingAddresses();
  await funding.agreeAddress({ id: waiting?.id ?? '', actor: operator('ben') });
  await read();
}, 60_000);
afterAll(async () => {
  await test.close();
  await node.close();
});

/** Everything that the chain has: what the server does by itself every two seconds, at once. */
async function read(): Promise<void> {
  const { networks } = test.context;
  for (const readChain of networks.readers(watchersOf(test.context))) await readChain();
}

const satoshi = (coins: number) => BigInt(Math.round(coins * 1e8));
const walletOf = async (userId: string) => (await test.context.ledger.summary({ userId })).availableCents;
const asked = (userId: string, dollars: number) =>
  test.context.funding.askForFunding({
    userId,
    paymentname: 'Bitcoin',
    amountCents: BigInt(dollars) * 100n,
    idempotencyKey: null,
  });
const requestsOf = async (userId: string) =>
  (await test.context.funding.pageOfRequests({ userId, status: undefined, page: 1 })).requests;
const soon = { timeout: 15_000, interval: 100 };

describe('a payment on Bitcoin', () => {
  it('is seen, and added to the cent after two confirmations without anybody', async () => {
    const [userId = ''] = await newInvestors(test, 1);
    const request = await asked(userId, 500);
    expect(request.paymentaddress).toMatch(/^bcrt1/);
    const txid = await node.send({ address: request.paymentaddress, units: satoshi(0.01) });
    await node.mine();
    await read();
    await expect.poll(async () => (await requestsOf(userId))[0]?.paymentId, soon).toBeTruthy();
    expect(await walletOf(userId)).toBe(0n);
    await node.mine();
    await read();
    // 0.01 x 68,412.50 dollars.
    await expect.poll(() => walletOf(userId), soon).toBe(68_412n);
    expect(await requestsOf(userId)).toMatchObject([
      { id: request.id, status: 'confirmed', receivedCents: 68_412n, chainTxid: txid, decidedBy: 'chain' },
    ]);
    expect((await asked(userId, 500)).paymentaddress).not.toBe(request.paymentaddress);
  }, 60_000);
});
