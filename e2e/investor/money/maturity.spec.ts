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

const list = (page: Page) => page.getByRole('region', { name: 'Investments' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'At maturity' });

async function investStandard(page: Page): Promise<void> {
  const form = await openForm(page, 'invest');
  await choose(page, form, 'Standard');
  await form.getByLabel('Amount').fill('2000');
  await form.getByRole('button', { name: 'Invest $2,000.00' }).click();
  await closeSuccess(page, 'Investment started');
  await page.goto('/investment');
}

async function openChoice(page: Page) {
  await list(page)
    .getByRole('button', { name: /^Change what happens at maturity/ })
    .click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('radio')).toHaveCount(3);
  return dialog;
}

test('what matures is invested again as it was chosen, on the terms that were shown', async ({
  page,
  server,
  wallets,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const owner = await wallets.owner({ cents: 2_500_00n });
  const { email } = owner.person;
  await openDashboard(page, owner, server.url);
  await investStandard(page);
  await expect(list(page)).toContainText('At maturity: paid to your wallet');

  // Long before the end: a letter will tell.
  const early = await openChoice(page);
  await early.getByText('Invest the principal again').click();
  await expectReceipt(early, { 'Invested again': '$2,000.00', 'To your wallet at maturity': '$38.00' });
  await expect(early).toContainText('A letter tells you');
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  await early.getByRole('button', { name: 'Invest $2,000.00 again' }).click();
  await expect(list(page)).toContainText('At maturity: principal invested again');
  await expect(list(page)).toContainText('A letter tells you the terms three days before.');

  // In its last days: what the screen shows is what counts.
  await server.letDaysPass(email, 58);
  await page.reload();
  const late = await openChoice(page);
  await late.getByText('Invest everything again').click();
  await expectReceipt(late, { 'Invested again': '$2,038.00', Profit: '$38.72', 'You receive': '$2,076.72' });
  await expect(late).toContainText('on exactly these terms');
  await late.getByRole('button', { name: 'Invest $2,038.00 again' }).click();
  await expect(list(page)).toContainText(
    '$2,038.00 in Standard for 60 days, $38.72 profit, as you were shown.',
  );
  await lookInBothThemes(page, { expectAccessible, expectReadable });

  await server.letTermPass(email);
  await expect(async () => {
    await waitForNews(page);
    await expect(list(page)).toContainText(/Everything invested again as TS-/, { timeout: 1_000 });
  }).toPass();
  await expect(list(page)).toContainText('$2,038.00');

  const console = await openConsole('first');
  await console.goto(`/operator/investors/${owner.session._id}`);
  const choices = console.getByRole('region', { name: 'At maturity' });
  await expect(choices).toContainText('Everything again');
  await expect(choices).toContainText(/Invested again as TS-/);
  await expect(choices).toContainText('On the screen');
});
