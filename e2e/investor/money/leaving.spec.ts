import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { lookInBothThemes } from '../../looking/looking.ts';
import {
  choose,
  closeSuccess,
  expectReceipt,
  openDashboard,
  openForm,
  waitForNews,
} from '../../people/money-forms.ts';

const investments = (page: Page) => page.getByRole('region', { name: 'Investments' });

/** In a plan that may be left early; the form says on which terms. */
async function investIn(page: Page): Promise<void> {
  const dialog = await openForm(page, 'invest');
  await choose(page, dialog, 'Standard');
  await expect(dialog).toContainText(
    'Can be left early from day 15: you keep 50% of the profit so far, fee 0.5% of the amount.',
  );
  await dialog.getByLabel('Amount').fill('2,000');
  await dialog.getByRole('button', { name: 'Invest $2,000.00' }).click();
  await closeSuccess(page, 'Investment started');
}

test('an investment is left early for exactly what the screen says, and told apart from one that matured', async ({
  page,
  server,
  wallets,
  complaints,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const owner = await wallets.owner({ cents: 2_500_00n });
  const { email } = owner.person;
  await openDashboard(page, owner, server.url);
  await investIn(page);
  await page.goto('/investment');
  await expect(investments(page)).toContainText(/Can be left early from \d/);
  await expect(page.getByRole('button', { name: /^Leave early/ })).toHaveCount(0);

  await server.letDaysPass(email, 15);
  await waitForNews(page);
  await lookInBothThemes(page, looks);
  await page.getByRole('button', { name: /^Leave early, TS-/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave Standard early' });
  await expectReceipt(dialog, {
    Amount: '$2,000.00',
    'Profit so far, 15 of 60 days': '$9.50',
    'You keep 50% of it': '+$4.75',
    'Fee, 0.5% of the amount': '−$10.00',
    'Paid to your wallet': '$1,994.75',
  });
  await expect(dialog).toContainText(/These amounts hold until \d.*it pays \$2,038\.00\./);
  await lookInBothThemes(page, looks);

  // A day ends between the look and the press: nothing moves, and the new amounts are there to be looked at.
  complaints.announceStatus(409);
  complaints.announce(/Error leaving an investment:/);
  await page.clock.pauseAt(Date.now() + 60_000);
  await expect(dialog.getByRole('button', { name: 'Leave and receive $1,994.75' })).toBeEnabled();
  await server.letDaysPass(email, 1);
  await dialog.getByRole('button', { name: 'Leave and receive $1,994.75' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Nothing has moved: look at it again.');
  await page.clock.resume();
  expect(await wallets.sums(owner)).toMatchObject({ available: 500, invested: 2_000 });

  await dialog.getByRole('button', { name: 'Leave and receive $1,995.06' }).click();
  const success = page.getByRole('dialog', { name: 'You left Standard' });
  await expectReceipt(success, {
    'Profit you keep': '+$5.06',
    Fee: '−$10.00',
    'Paid to your wallet': '$1,995.06',
  });
  await lookInBothThemes(page, looks);
  const transactionid = await closeSuccess(page, 'You left Standard');
  for (const text of ['Left early', '+$5.06', 'After 16 of 60 days'])
    await expect(investments(page)).toContainText(text);
  expect(await wallets.sums(owner)).toMatchObject({ available: 2_495.06, invested: 0 });

  const console = await openConsole('first', `/operator/investors/${owner.session._id}`);
  await expect(console.getByText(transactionid).first()).toBeVisible();
  await expect(console.getByText('Standard, 60 days, left early').first()).toBeVisible();
});
