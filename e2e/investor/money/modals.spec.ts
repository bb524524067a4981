import type { Locator, Page } from '@playwright/test';
import { addbalance } from '@tallystick/contract/funding';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { expect, test } from '../../fixtures.ts';
import {
  balanceCard,
  choose,
  closeSuccess,
  expectSums,
  openDashboard,
  openForm,
} from '../../people/money-forms.ts';
import { newBitcoinAddress } from '../../people/wallets.ts';

const bitcoinAddress = newBitcoinAddress();

const anyDialog = (page: Page) => page.getByRole('dialog');

/** Everything that a wallet asks for, without hovering over anything. */
async function expectPayable(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole('img', { name: 'QR code of the Bitcoin address' })).toBeVisible();
  await expect(dialog.getByText(/^\d+\.\d{6} BTC$/)).toBeVisible();
  await expect(dialog.getByRole('definition').filter({ hasText: 'Bitcoin test network' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy amount' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy address' })).toBeVisible();
  await expect(dialog.getByText(/^TS-/)).toBeVisible();
}

test('who has asked to fund the wallet is never without the address, the amount and the network', async ({
  page,
  server,
  wallets,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openDashboard(page, await wallets.owner(), server.url);
  const dialog = await openForm(page, 'fund');
  await choose(page, dialog, 'Bitcoin');
  await dialog.getByLabel('Amount').fill('250.');
  const answered = page.waitForResponse(`**${addbalance.path}`);
  await dialog.getByRole('button', { name: 'Submit' }).click();
  const { request } = addbalance.answer.parse(await (await answered).json());
  const success = page.getByRole('dialog', { name: 'Request received' });
  await expect(success).toContainText('Your assets are added once the payment is confirmed.');
  await expectPayable(success);
  await closeSuccess(page, 'Request received');

  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(
    waiting.getByRole('button', { name: `${request.paymentaddress}, copy the address` }),
  ).toBeVisible();
  // Directly under the balance: nothing stands between the two.
  await expect(balanceCard(page).locator('xpath=following-sibling::*[1]')).toHaveAccessibleName('Waiting');
  const again = page.getByRole('dialog', { name: 'Payment details' });
  await waiting.getByRole('button', { name: 'Payment details' }).click();
  await expectPayable(again);
  await expect(again.getByText(request.transactionid)).toBeVisible();
  await again.getByRole('button', { name: 'Copy amount' }).click();
  await expect(again.getByRole('status').filter({ hasText: 'Copied.' })).toHaveCount(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(request.coinamount);
  await page.goBack();
  await expect(again).toHaveCount(0);
  await page.goto('/mobiletransaction');
  for (const place of ['Waiting', 'Requests']) {
    await page.getByRole('region', { name: place }).getByRole('button', { name: 'Payment details' }).click();
    await expectPayable(again);
    await again.getByRole('button', { name: 'Close' }).click();
    await expect(again).toHaveCount(0);
  }
});

test('Back, Esc and the cross close a form without losing a letter or leaving the page', async ({
  page,
  server,
  wallets,
}) => {
  await openDashboard(page, await wallets.owner({ cents: 100_00n }), server.url);
  await page.goto('/mobilesettings');
  await page.goto('/dashboard');
  const ways = {
    back: () => page.goBack(),
    esc: () => page.keyboard.press('Escape'),
    cross: () => anyDialog(page).getByRole('button', { name: 'Close' }).click(),
  };
  for (const [form, option, closings] of [
    ['fund', 'Ethereum', [ways.back]],
    ['invest', 'Starter', [ways.cross]],
    ['withdraw', 'Bitcoin', [ways.back, ways.esc, ways.cross]],
  ] as const) {
    await test.step(form, async () => {
      const dialog = await openForm(page, form);
      await choose(page, dialog, option);
      await dialog.getByLabel('Amount').fill('55.5');
      if (form === 'withdraw') await dialog.getByLabel('Bitcoin address').fill(bitcoinAddress);
      for (const close of closings) {
        await close();
        await expect(anyDialog(page)).toHaveCount(0);
        await expect(page).toHaveURL('/dashboard');
        await expect(balanceCard(page).locator('button:focus')).toHaveCount(1);
        await openForm(page, form);
        await expect(dialog.getByRole('combobox')).toContainText(option);
        await expect(dialog.getByLabel('Amount')).toHaveValue('55.5');
        if (form === 'withdraw')
          await expect(dialog.getByLabel('Bitcoin address')).toHaveValue(bitcoinAddress);
      }
      await page.goBack();
      await expect(anyDialog(page)).toHaveCount(0);
    });
  }
  // No trap: forward opens nothing, and the next Back leaves as it always did.
  await page.goForward();
  await expect(page).toHaveURL('/dashboard');
  await expect(balanceCard(page)).toBeVisible();
  await expect(anyDialog(page)).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/mobilesettings');
});

test('closing a form while it is being sent, or its receipt with Back, never sends twice', async ({
  page,
  server,
  wallets,
}) => {
  const owner = await wallets.owner({ cents: 100_00n });
  await openDashboard(page, owner, server.url);
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(`**${makenewwithdrawal.path}`, async (route) => {
    sent += 1;
    await held.promise;
    await route.continue();
  });
  const dialog = await openForm(page, 'withdraw');
  await choose(page, dialog, 'Bitcoin');
  await dialog.getByLabel('Amount').fill('30');
  await dialog.getByLabel('Bitcoin address').fill(bitcoinAddress);
  await dialog.getByRole('button', { name: 'Withdraw $30.00' }).click();
  await expect(dialog.getByRole('button', { name: 'Sending' })).toBeDisabled();
  await page.goBack();
  await expect(anyDialog(page)).toHaveCount(0);
  await openForm(page, 'withdraw');
  await expect(dialog.getByLabel('Amount')).toHaveValue('30');
  await expect(dialog.getByRole('button', { name: 'Sending' })).toBeDisabled();
  await dialog.getByLabel('Amount').press('Enter');
  held.resolve();
  const success = page.getByRole('dialog', { name: 'Withdrawal requested' });
  await expect(success).toBeVisible();
  await page.goBack();
  await expect(anyDialog(page)).toHaveCount(0);
  await page.goForward();
  await expect(anyDialog(page)).toHaveCount(0);
  await expectSums(page, { available: '$70.00', withdrawing: '$30.00', together: '$100.00' });
  // What was sent is not offered to be sent again.
  await openForm(page, 'withdraw');
  await expect(dialog.getByRole('combobox')).toContainText('Choose a method');
  await expect(dialog.getByLabel('Amount')).toHaveCount(0);
  expect(sent).toBe(1);
  expect(await wallets.sums(owner)).toMatchObject({ available: 70, entries: 2 });
});
