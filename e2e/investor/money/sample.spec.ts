import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { lookInBothThemes } from '../../looking/looking.ts';
import {
  choose,
  closeSuccess,
  expectEntries,
  expectReceipt,
  expectSums,
  openDashboard,
  openForm,
  waitForNews,
} from '../../people/money-forms.ts';
import { drawer, openItem, queueRow } from '../../people/queue.ts';

const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting' });

/** Seconds pass on the sample chain, too, so the first news may still be the old. */
async function expectSoon(page: Page, hold: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await waitForNews(page);
    await hold();
  }).toPass();
}
const soon = { timeout: 1_000 };

async function announce(page: Page, method: string, amount: string): Promise<string> {
  const dialog = await openForm(page, 'fund');
  await choose(page, dialog, method);
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByRole('button', { name: 'Submit' }).click();
  return closeSuccess(page, 'Request received');
}

test('a sample payment is sent by its button, seen and added to the cent; other requests are left alone', async ({
  page,
  server,
  wallets,
  expectAccessible,
  expectReadable,
}) => {
  await openDashboard(page, await wallets.owner(), server.url);
  await announce(page, 'Bitcoin', '40');
  await announce(page, 'Bitcoin', '123.45');
  const send = waiting(page).getByRole('button', { name: 'Send a sample payment' });
  await expect(send).toHaveCount(2);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  // The newest stands first.
  await send.first().click();
  await expect(waiting(page)).toContainText(/Seen, [01] of 2 confirmations/);
  await expect(waiting(page)).toContainText('Worth $123.45. It is added by itself once it is confirmed.');
  await expect(waiting(page).getByText('Sample payment', { exact: true })).toBeVisible();
  await expect(send).toHaveCount(1);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  await expectSoon(page, () => expect(waiting(page)).not.toContainText('Seen', soon));
  await expectSums(page, { available: '$123.45', together: '$123.45' });
  await expectEntries(page, [['Bitcoin', '+$123.45']]);
  await expect(waiting(page)).toContainText('Bitcoin deposit waiting for confirmation');

  await page.getByRole('link', { name: /^View all/ }).click();
  await page.getByRole('button', { name: /^Deposit receipt of TS-/ }).click();
  const receipt = page.getByRole('dialog', { name: 'Receipt' });
  await expectReceipt(receipt, { Added: '$123.45', 'Price of 1 BTC': /^\$/ });
  await expect(receipt.getByText('Look it up')).toHaveCount(0);
});

test('an operator sends a sample payment in an investor’s stead', async ({
  openConsole,
  wallets,
  expectAccessible,
  expectReadable,
}) => {
  const owner = await wallets.owner();
  const { transactionid } = await wallets.announce(owner, 61_07n);
  const console = await openConsole('first');
  await openItem(console, transactionid, 'Review');
  await drawer(console).getByRole('button', { name: 'Send a sample payment' }).click();
  await expect(drawer(console)).toContainText('What the demo’s sample chain shows');
  await expect(drawer(console)).toContainText('$61.07');
  await expect(drawer(console).getByText('Sample payment', { exact: true })).toBeVisible();
  await expect(drawer(console).getByRole('link', { name: /^Look it up/ })).toHaveCount(0);
  await lookInBothThemes(console, { expectAccessible, expectReadable });
  await drawer(console).getByRole('button', { name: 'Close' }).last().click();
  await expectSoon(console, () => expect(queueRow(console, transactionid)).toHaveCount(0, soon));
  expect(await wallets.sums(owner)).toMatchObject({ available: 61.07, entries: 1 });
});
