import type { Page } from '@playwright/test';
import { type PriceServer, startPriceServer } from '../../../server/testing/outside/price-server.ts';
import { test as base, expect } from '../../fixtures.ts';
import { expectAfter } from '../../looking/clock.ts';
import { startServer } from '../../servers/server.ts';

/** A server of its own, whose price service is the fixture on loopback. */
const test = base.extend<object, { priceServer: PriceServer }>({
  priceServer: [
    async ({ browserName: _ }, use) => {
      const priceServer = await startPriceServer();
      await use(priceServer);
      await priceServer.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ priceServer }, use) => {
      process.env.PRICE_API_BASE = priceServer.base;
      const server = await startServer().finally(() => delete process.env.PRICE_API_BASE);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

const prices = '**/api/prices/simple/price';
const tiles = (page: Page) => page.getByRole('list', { name: 'Prices in USD' }).getByRole('listitem');
const ticker = (page: Page) => page.getByRole('group', { name: /Prices in USD/ });

test('live prices come with their time and Bitcoin’s movement, and are replaced in place after 60 seconds', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/');
  await expect(tiles(page)).toHaveText([
    /Bitcoin.*\$70,000\.50.*1\.45%/,
    /Ethereum.*\$3,500\.00/,
    /BnB.*\$600\.00/,
    /Ripple.*\$0\.5000/,
  ]);
  await expect(page.getByText('Prices in USD. Line and arrow: Bitcoin over 30 days.')).toBeVisible();
  await expect(page.getByText(/^Updated \d+ \w+ \d{4}, \d\d:\d\d UTC$/)).toBeVisible();
  await expect(page.getByText('Sample prices')).toHaveCount(0);

  let asked = 0;
  await page.route(prices, (route) => {
    asked += 1;
    return route.fulfill({ json: { bitcoin: { usd: 71_234 } } });
  });
  await expectAfter(page, 61_000, async () => {
    await expect(tiles(page)).toHaveText([/Bitcoin.*\$71,234\.00/]);
    await expect(ticker(page).getByRole('listitem')).toHaveCount(1);
    // Nor sooner: in half the time it would have been asked for twice.
    expect(asked).toBe(1);
  });
});

test('only coins that have a price are shown, and one of more than five minutes ago with its time', async ({
  page,
}) => {
  await page.route(prices, (route) =>
    route.fulfill({
      headers: { age: '600' },
      json: { ethereum: { usd: 3518.07 }, ripple: { usd: 0.5874 } },
    }),
  );
  await page.goto('/');
  await expect(tiles(page)).toHaveText([/Ethereum/, /Ripple/]);
  await expect(ticker(page).getByRole('listitem')).toHaveText([/Ethereum/, /Ripple/]);
  await expect(page.getByText(/^Older prices, from/)).toBeVisible();
});

test('no answer about prices, or a refusal, breaks nothing and invents nothing', async ({
  page,
  complaints,
  expectAccessible,
}) => {
  complaints.announce(/Error fetching crypto rates:/, /ERR_FAILED/);
  complaints.announceStatus(503);
  const refusal = { code: 'prices_unavailable', message: 'Prices cannot be read.' };
  for (const answers of ['nothing', 'a refusal']) {
    await page.unroute(prices);
    await page.route(prices, (route) =>
      answers === 'nothing' ? route.abort() : route.fulfill({ status: 503, json: refusal }),
    );
    const logged = page.waitForEvent('console', (message) =>
      message.text().startsWith('Error fetching crypto rates:'),
    );
    await page.goto('/');
    await logged;
    await expect(page.locator('#plans article')).toHaveCount(3);
    await expect(tiles(page)).toHaveCount(0);
    await expect(ticker(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expectAccessible();
});
