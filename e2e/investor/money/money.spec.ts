import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { type Looks, lookInBothThemes } from '../../looking/looking.ts';
import type { Mailbox } from '../../people/mailbox.ts';
import {
  choose,
  closeSuccess,
  expectEntries,
  expectReceipt,
  expectSums,
  openForm,
  waitForNews,
} from '../../people/money-forms.ts';
import { goodPassword, newEmail } from '../../people/people.ts';
import { approve, confirmDeposit, markPaid, queueRow } from '../../people/queue.ts';
import { logIn, typeCode } from '../../people/screens.ts';
import { newBitcoinAddress, newPayment } from '../../people/wallets.ts';

const paidTo = newBitcoinAddress();

const dayMs = 24 * 60 * 60 * 1000;
const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting' });

async function expectRecord(page: Page, entries: string): Promise<void> {
  const welcome = page.getByRole('region', { name: 'Welcome' });
  await expect(welcome).toContainText('Both halves match');
  await expect(welcome).toContainText(new RegExp(`${entries}, checked \\d\\d:\\d\\d`));
}

type Visitor = Parameters<typeof logIn>[1] & { fullname: string };

async function signUp(page: Page, visitor: Visitor, mailbox: Mailbox): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill(visitor.fullname);
  await page.getByLabel('Email').fill(visitor.email);
  await page.getByLabel('Password', { exact: true }).fill(visitor.password);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page).toHaveURL('/verifyemail');
  await typeCode(page, (await mailbox.code(visitor.email, 'activation')).code);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await logIn(page, visitor);
  await expect(page).toHaveURL('/dashboard');
  await expectSums(page, { available: '$0.00', together: '$0.00' });
  await expect(page.getByRole('region', { name: 'Welcome' })).toContainText('No entries yet');
  // What is empty says so in words that everyone knows.
  await expect(page.getByRole('region', { name: 'Recent activity' })).toContainText('No entries yet');
  await expect(page.getByRole('main')).not.toContainText(/notch/i);
}

async function announceDeposit(page: Page, looks: Looks): Promise<string> {
  const dialog = await openForm(page, 'fund');
  await choose(page, dialog, 'Bitcoin');
  await expect(dialog.getByRole('img', { name: 'QR code of the Bitcoin address' })).toBeVisible();
  await dialog.getByLabel('Amount').fill('1,234.56');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  const success = page.getByRole('dialog', { name: 'Request received' });
  await expectReceipt(success, { Amount: '$1,234.56', Method: 'Bitcoin' });
  await expect(success).toContainText('Your assets are added once the payment is confirmed.');
  await lookInBothThemes(page, looks);
  const transactionid = await closeSuccess(page, 'Request received');
  await expect(waiting(page)).toContainText('Bitcoin deposit waiting for confirmation');
  await expect(waiting(page)).toContainText('$1,234.56');
  await expectSums(page, { available: '$0.00', together: '$0.00' });
  return transactionid;
}

async function seeItConfirmed(page: Page): Promise<void> {
  await waitForNews(page);
  await expectSums(page, { available: '$1,234.56', together: '$1,234.56' });
  await expectEntries(page, [['Bitcoin', '+$1,234.56']]);
  await expectRecord(page, '1 entry');
  await expect(waiting(page)).toHaveCount(0);
}

async function invest(page: Page, looks: Looks): Promise<void> {
  const dialog = await openForm(page, 'invest');
  await choose(page, dialog, 'Starter');
  for (const fact of ['$100 – $1,999', '30 DAYS', '0.8%']) await expect(dialog).toContainText(fact);
  await dialog.getByLabel('Amount').fill('1003.13');
  const sides = dialog.locator('p').filter({ hasText: /^You (pay|receive)$/ });
  await expect(sides.locator('xpath=following-sibling::p[1]')).toHaveText(['$1,003.13', '$1,011.16']);
  await expect(dialog).toContainText('$8.03 profit');
  await expect(dialog).toContainText(longDate.format(Date.now() + 30 * dayMs));
  await dialog.getByRole('button', { name: 'Invest $1,003.13' }).click();
  const success = page.getByRole('dialog', { name: 'Investment started' });
  await expectReceipt(success, { Amount: '$1,003.13' });
  await expect(success).toContainText('$1,011.16');
  await lookInBothThemes(page, looks);
  await closeSuccess(page, 'Investment started');
  await expectSums(page, { available: '$231.43', invested: '$1,003.13', together: '$1,234.56' });
  await expect(page.getByRole('region', { name: 'Next maturity' })).toContainText('$1,011.16');
  await expectEntries(page, [
    ['Investment', '−$1,003.13'],
    ['Bitcoin', '+$1,234.56'],
  ]);
  await expectRecord(page, '2 entries');
}

async function seeItMatured(page: Page): Promise<void> {
  const next = page.getByRole('region', { name: 'Next maturity' });
  // The server pays in a job of its own, so the first news may still be the old.
  await expect(async () => {
    await waitForNews(page);
    await expect(next).toContainText('No investment is running', { timeout: 1_000 });
  }).toPass();
  await expectSums(page, { available: '$1,242.59', together: '$1,242.59' });
  await expectEntries(page, [
    ['Profit', '+$8.03'],
    ['Investment Return', '+$1,003.13'],
    ['Investment', '−$1,003.13'],
    ['Bitcoin', '+$1,234.56'],
  ]);
  await expectRecord(page, '4 entries');
}

async function askForWithdrawal(page: Page, looks: Looks): Promise<string> {
  const dialog = await openForm(page, 'withdraw');
  await expect(dialog.getByLabel('Amount')).toHaveCount(0);
  await choose(page, dialog, 'Bitcoin');
  await dialog.getByLabel('Amount').fill('1000.59');
  await dialog.getByLabel('Bitcoin address').fill(paidTo);
  await expectReceipt(dialog, { 'Balance after': '$242.00', Fee: 'None' });
  await dialog.getByRole('button', { name: 'Withdraw $1,000.59' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal requested' })).toBeVisible();
  await lookInBothThemes(page, looks);
  const transactionid = await closeSuccess(page, 'Withdrawal requested');
  await expectSums(page, { available: '$242.00', withdrawing: '$1,000.59', together: '$1,242.59' });
  const newest = page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem').first();
  await expect(newest).toContainText('held');
  await expect(waiting(page)).toContainText('waiting for approval');
  return transactionid;
}

async function seeItPaid(page: Page): Promise<void> {
  await waitForNews(page);
  await expect(waiting(page)).toHaveCount(0);
  await expectSums(page, { available: '$242.00', together: '$242.00' });
  await expectRecord(page, '5 entries');
}

async function expectLists(page: Page, withdrawal: string, payment: string): Promise<void> {
  await page.getByRole('link', { name: 'View all entries' }).click();
  const entries = page.getByRole('region', { name: 'Entries' });
  for (const text of ['−$1,000.59', 'Paid out', '$242.00', 'Page 1 of 1'])
    await expect(entries).toContainText(text);
  const requests = page.getByRole('region', { name: 'Requests' });
  await requests.getByText('Withdrawals').click();
  for (const text of [withdrawal, /Paid on/, payment]) await expect(requests).toContainText(text);
  // Where it went: both ends to look at, the whole to copy.
  const address = requests.getByRole('button', { name: paidTo });
  await expect(address).toHaveText(`${paidTo.slice(0, 6)}…${paidTo.slice(-6)}`);
  await page.goto('/investment');
  const investments = page.getByRole('region', { name: 'Investments' });
  for (const text of ['Completed', '+$8.03']) await expect(investments).toContainText(text);
}

test('from the sign-up to money that was paid out, every cent is on the screen', async ({
  page,
  mailbox,
  server,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const visitor = { fullname: 'Wren Hollis', email: newEmail(), password: goodPassword };
  const [first, second] = [await openConsole('first'), await openConsole('second')];
  const [payment, payout] = [newPayment(), newPayment()];
  const looks = { expectAccessible, expectReadable };
  await page.clock.install();

  await signUp(page, visitor, mailbox);
  const deposit = await announceDeposit(page, looks);
  await waitForNews(first);
  await expect(queueRow(first, deposit)).toContainText('$1,234.56');
  await confirmDeposit(first, deposit, { amount: '1234.56', payment });
  await seeItConfirmed(page);

  await invest(page, looks);
  await server.letTermPass(visitor.email);
  await seeItMatured(page);

  const withdrawal = await askForWithdrawal(page, looks);
  await waitForNews(first);
  await approve(first, withdrawal);
  await waitForNews(page);
  await expect(waiting(page)).toContainText('approved, to be paid next');
  await waitForNews(second);
  await markPaid(second, withdrawal, payout);
  await seeItPaid(page);
  await expectLists(page, withdrawal, payout);
});
