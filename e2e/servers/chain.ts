import type { Page } from '@playwright/test';
import { addresschanges, paymentmethods, proposeaddress } from '@tallystick/contract/operator/methods';
import { type BitcoinNode, startBcoin } from '../../server/testing/outside/bcoin.ts';
import { startPriceServer } from '../../server/testing/outside/price-server.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../server/testing/outside/seeds.ts';
import { expect, test as withServer } from '../fixtures.ts';
import { waitForNews } from '../people/money-forms.ts';
import type { Operators } from '../people/operators.ts';
import { startServer } from './server.ts';

/** A server that reads a real chain: blocks come when a test mines them. */
export const test = withServer.extend<object, { node: BitcoinNode }>({
  node: [
    async ({ browserName: _ }, use) => {
      const node = await startBcoin();
      await use(node);
      await node.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  server: [
    async ({ node }, use) => {
      const prices = await startPriceServer();
      const settings = { BITCOIN_NETWORK: 'regtest', BITCOIN_RPC_URL: node.url, PRICE_API_BASE: prices.base };
      const server = await startServer(settings);
      await use(server);
      await server.stop();
      await prices.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** What signs in a hardware wallet; the server has only what it can be known by. */
export const master = masterKeyOf(publishedWords);
const origin = `[${master.fingerprint.toString(16).padStart(8, '0')}/84'/1'/0']`;
/** With where it comes from: by that a wallet knows what it is asked to sign. */
const accountKey = origin + publicKeyAt(master, "m/84'/1'/0'", 'vpub');

/** From now on each investor has an address of their own. */
export async function deriveAddresses(operators: Operators): Promise<void> {
  const [first, second] = [await operators.first(), await operators.second()];
  const methods = (await first.press(paymentmethods, {})).paymentmethods;
  const id = methods.find(({ paymentname }) => paymentname === 'Bitcoin')?._id ?? '';
  await first.press(proposeaddress, { params: { id }, body: { source: 'derived', key: accountKey } });
  const proposed = (await first.press(paymentmethods, {})).paymentmethods.find(({ _id }) => _id === id);
  await second.press(addresschanges.confirm, { params: { id: proposed?.proposed?.changeid ?? '' } });
}

/** The server reads its chain every two seconds, so the first news may still be the old. */
export async function expectSoon(page: Page, hold: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await waitForNews(page);
    await hold();
  }).toPass();
}

export const soon = { timeout: 1_000 };
