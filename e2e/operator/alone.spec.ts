import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { lookInBothThemes } from '../looking/looking.ts';
import { waitForNews } from '../people/money-forms.ts';
import { drawer, fillArrived, openItem, queueRow } from '../people/queue.ts';
import { newPayment } from '../people/wallets.ts';

test('$10 asked for and $1,000,000 confirmed by one operator is nobody’s; by two with the same figures it is', async ({
  openConsole,
  operators,
  wallets,
  expectAccessible,
  expectReadable,
}) => {
  const owner = await wallets.owner();
  const { transactionid } = await wallets.announce(owner, 10_00n);
  const [first, second] = [await openConsole('first'), await openConsole('second')];
  const { name } = await operators.first();
  const payment = newPayment();

  const dialog = await openItem(first, transactionid, 'Review');
  await fillArrived(dialog, { amount: '1,000,000', payment: `0x${payment}` });
  await expect(dialog).toContainText('A second operator has to confirm the same.');
  await expect(dialog).toContainText('More than the $10.00 that was asked for');
  await dialog.getByRole('button', { name: 'Confirm $1,000,000.00' }).click();
  await expect(dialog).toContainText('The id of a Bitcoin transaction is 64 characters');
  await fillArrived(dialog, { amount: '1,000,000', payment });
  await dialog.getByRole('button', { name: 'Confirm $1,000,000.00' }).click();
  await expect(first.getByText(`Your confirmation of ${transactionid} is noted.`)).toBeVisible();
  await expect(queueRow(first, transactionid)).toContainText('you confirmed $1,000,000.00');
  await expect(queueRow(first, transactionid).getByRole('button', { name: 'Agree' })).toBeDisabled();
  expect(await wallets.sums(owner)).toMatchObject({ available: 0, entries: 0 });

  await waitForNews(second);
  const row = queueRow(second, transactionid);
  await expect(row).toContainText(`Waits for a second operator: ${name} confirmed $1,000,000.00`);
  const dropping = await openItem(second, transactionid, 'Drop');
  await expect(dropping).toContainText(payment);
  await lookInBothThemes(second, { expectAccessible, expectReadable });
  await dropping.getByRole('button', { name: 'Drop' }).press('Enter');
  await expect(row.getByRole('button', { name: 'Review' })).toBeVisible();

  const again = await openItem(second, transactionid, 'Review');
  await fillArrived(again, { amount: '5,000.01', payment });
  await again.getByRole('button', { name: 'Confirm $5,000.01' }).click();
  await expect(row).toContainText('you confirmed $5,000.01');
  await waitForNews(first);
  const agreeing = await openItem(first, transactionid, 'Agree');
  await agreeing.getByRole('button', { name: 'Agree $5,000.01' }).click();
  await expect(queueRow(first, transactionid)).toHaveCount(0);
  expect(await wallets.sums(owner)).toMatchObject({ available: 5_000.01, entries: 1 });
});

async function typePlan(console: Page, name: string): Promise<void> {
  await console.getByLabel('Plan name').fill(name);
  await console.getByLabel('From', { exact: true }).fill('100');
  await console.getByLabel('To', { exact: true }).fill('200,000');
  await console.getByLabel('Duration').fill('1');
  await console.getByLabel('ROI for the term').fill('1000');
}

test('a plan of 1000 % in one day, and other bounds, wait for the second operator, who may discard them', async ({
  openConsole,
  operators,
  expectAccessible,
  expectReadable,
}) => {
  const planname = 'Rocket';
  const first = await openConsole('first', '/operator/plans?plan=new');
  const second = await openConsole('second', '/operator/plans');
  await typePlan(first, planname);
  await expect(first.getByText('1000% in 1 day is more than 0.5% a day')).toBeVisible();
  await first.getByRole('button', { name: 'Ask for this plan' }).click();
  const waiting = (console: Page) => console.getByRole('region', { name: 'Waits for a second operator' });
  await expect(waiting(first)).toContainText(`New plan ${planname}`);
  await expect(waiting(first).getByRole('button', { name: `Agree to ${planname}` })).toBeDisabled();
  const { name } = await operators.first();
  await waitForNews(second);
  await expect(waiting(second)).toContainText(`Asked by ${name}`);
  await lookInBothThemes(second, { expectAccessible, expectReadable });
  await waiting(second)
    .getByRole('button', { name: `Discard ${planname}` })
    .click();
  await expect(waiting(second)).toHaveCount(0);

  await first.goto('/operator/checklist');
  const bounds = (console: Page) => console.getByRole('region', { name: 'What one operator may do alone' });
  await expect(bounds(first)).toContainText('up to $5,000.00');
  await bounds(first).getByRole('button', { name: 'Ask for other bounds' }).click();
  await bounds(first).getByLabel('A deposit or a payout, up to').fill('4,000');
  await bounds(first).getByLabel('A deposit its chain shows, up to').fill('8,000');
  await lookInBothThemes(first, { expectAccessible, expectReadable });
  await bounds(first).getByRole('button', { name: 'Ask for these' }).click();
  await expect(bounds(first)).toContainText('$5,000.00 becomes $4,000.00');
  await expect(bounds(first)).toContainText('$10,000.00 becomes $8,000.00');
  await expect(bounds(first).getByRole('button', { name: 'Agree' })).toBeDisabled();
  await second.goto('/operator?show=second');
  const change = await openItem(second, 'Other bounds of what one may do alone', 'Confirm');
  await expect(change).toContainText('$5,000.00 becomes $4,000.00');
  await change.getByRole('button', { name: 'Discard' }).click();
  await expect(drawer(second)).toHaveCount(0);
  await waitForNews(first);
  await expect(bounds(first)).toContainText('up to $5,000.00');
});

test('an account’s key is asked for with its first addresses in sight, and the second operator sees the same', async ({
  openConsole,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  const paymentname = 'Ether by key';
  // Of the words that the published test vectors use.
  const key =
    'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';
  const firstAddress = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
  const first = await openConsole('first', '/operator/methods');
  const second = await openConsole('second', '/operator?show=second');
  await first.getByRole('button', { name: 'New payment method' }).click();
  const dialog = first.getByRole('dialog', { name: 'New payment method' });
  await dialog.getByLabel('Name').fill(paymentname);
  await dialog.getByRole('combobox', { name: 'Network' }).click();
  await first.getByRole('option', { name: 'Ethereum' }).click();
  await dialog.getByLabel('An account’s key').check();
  complaints.announceStatus(422);
  await dialog.getByLabel('Public key of the account').fill(key.replace('nATt', 'nATT'));
  await expect(dialog).toContainText('A character of this key is missing or wrong.');
  await dialog.getByLabel('Public key of the account').fill(key);
  await expect(dialog).toContainText('Compare these with your hardware wallet.');
  await expect(dialog).toContainText(`m/44'/60'/0'/0/0${firstAddress}`);
  await lookInBothThemes(first, { expectAccessible, expectReadable });
  await dialog.getByRole('button', { name: 'Add payment method' }).click();
  await expect(dialog).toBeHidden();
  await expect(first.getByRole('button', { name: `Confirm the ${paymentname} key` })).toBeDisabled();

  await waitForNews(second);
  const change = await openItem(second, `New payment method ${paymentname}`, 'Confirm');
  await expect(change).toContainText(`m/44'/60'/0'/0/0${firstAddress}`);
  await expect(change).toContainText(key);
  await lookInBothThemes(second, { expectAccessible, expectReadable });
  await change.getByRole('button', { name: 'Confirm' }).click();
  await expect(drawer(second)).toHaveCount(0);

  await second.goto('/operator/methods');
  await expect(second.getByText('Own addresses from a key, 0 addresses given out')).toBeVisible();
  await second.getByRole('switch', { name: paymentname }).click();
  await expect(second.getByRole('switch', { name: paymentname })).not.toBeChecked();
});
