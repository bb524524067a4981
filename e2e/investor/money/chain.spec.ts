import type { Page } from '@playwright/test';
import { expect } from '../../fixtures.ts';
import { type Looks, lookInBothThemes } from '../../looking/looking.ts';
import {
  balanceCard,
  choose,
  expectEntries,
  expectReceipt,
  expectSums,
  openDashboard,
  openForm,
} from '../../people/money-forms.ts';
import { deriveAddresses, expectSoon, soon, test } from '../../servers/chain.ts';

const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting' });

/** Announces a deposit and says where it is to be sent. */
async function announce(page: Page): Promise<string> {
  const dialog = await openForm(page, 'fund');
  await choose(page, dialog, 'Bitcoin');
  await expect(dialog.getByRole('img', { name: 'QR code of the Bitcoin address' })).toBeVisible();
  await dialog.getByLabel('Amount').fill('500');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  const made = page.getByRole('dialog', { name: 'Request received' });
  await expectReceipt(made, { Amount: '$500.00', State: 'Waiting for your payment' });
  await made.getByRole('button', { name: 'Close' }).click();
  await expect(waiting(page)).toContainText('Waiting for your payment');
  // Directly under the balance, whatever else there is.
  const [above, below] = [await balanceCard(page).boundingBox(), await waiting(page).boundingBox()];
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeLessThanOrEqual(20);
  const shown = waiting(page).getByRole('button', { name: 'copy the address' });
  const [address = ''] = (await shown.getAttribute('aria-label'))?.split(',') ?? [];
  expect(address).toMatch(/^bcrt1/);
  return address;
}

async function seeItSeen(page: Page, looks: Looks): Promise<void> {
  await expectSoon(page, () => expect(waiting(page)).toContainText('Seen, 1 of 2 confirmations', soon));
  await expect(waiting(page)).toContainText('$700.00');
  await lookInBothThemes(page, looks);
  await expectSums(page, { available: '$0.00', together: '$0.00' });
  await waiting(page).getByRole('button', { name: 'Payment details' }).click();
  const details = page.getByRole('dialog', { name: 'Payment details' });
  await expectReceipt(details, { Paid: '0.01 BTC', Worth: '$700.00', Confirmations: '1 of 2' });
  // Who has paid is not asked to pay.
  await expect(details.getByRole('img', { name: 'QR code' })).toHaveCount(0);
  await lookInBothThemes(page, looks);
}

/** With the payment's details open, which become its receipt. */
async function seeItAdded(page: Page, txid: string): Promise<void> {
  const receipt = page.getByRole('dialog', { name: 'Receipt' });
  await expectSoon(page, () => expect(receipt).toBeVisible(soon));
  await expectReceipt(receipt, {
    'Asked for': '$500.00',
    Paid: '0.01 BTC',
    'Price of 1 BTC': '$70,000.50',
    Added: '$700.00',
  });
  await expect(receipt.getByRole('button', { name: txid })).toBeVisible();
  await receipt.getByRole('button', { name: 'Close' }).click();
  await expectSoon(page, () => expect(waiting(page)).toHaveCount(0, soon));
  await expectSums(page, { available: '$700.00', together: '$700.00' });
  await expectEntries(page, [['Bitcoin', '+$700.00']]);

  // What came in is found again from its entry.
  await page.getByRole('link', { name: 'View all entries' }).click();
  const entries = page.getByRole('region', { name: 'Entries' });
  await entries.getByRole('button', { name: /^Deposit receipt of TS-/ }).click();
  await expectReceipt(receipt, { Added: '$700.00', 'Price from': 'Public price service' });
  await receipt.getByRole('button', { name: 'Close' }).click();
}

test('a payment is seen, confirmed and added to the cent, while its investor looks on', async ({
  page,
  node,
  server,
  operators,
  wallets,
  expectAccessible,
  expectReadable,
}) => {
  await deriveAddresses(operators);
  await openDashboard(page, await wallets.owner(), server.url);
  const address = await announce(page);
  const txid = await node.send({ address, units: 1_000_000n });
  await node.mine();
  await seeItSeen(page, { expectAccessible, expectReadable });
  await node.mine();
  await seeItAdded(page, txid);

  // Once more to the old address, without a word: it is seen there all the same.
  await page.goBack();
  await node.send({ address, units: 2_000_000n });
  await node.mine();
  await expectSoon(page, () => expect(waiting(page)).toContainText('It came without a request', soon));
  await node.mine();
  await expectSoon(page, () => expect(waiting(page)).toHaveCount(0, soon));
  await expectSums(page, { available: '$2,100.01', together: '$2,100.01' });
});
