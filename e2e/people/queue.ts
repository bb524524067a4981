import { expect, type Locator, type Page } from '@playwright/test';

/** What operators do in the queue, at either size. */

export function queueRow(page: Page, text: string): Locator {
  return page.locator('[data-queue-row]').filter({ hasText: text });
}

export const drawer = (page: Page) => page.getByRole('dialog');

/** Opens a request with one of the buttons in its row. */
export async function openItem(
  page: Page,
  text: string,
  button: 'Review' | 'Approve' | 'Mark paid' | 'Reject' | 'Confirm' | 'Agree' | 'Drop',
): Promise<Locator> {
  await queueRow(page, text).getByRole('button', { name: button }).click();
  await expect(drawer(page)).toBeVisible();
  return drawer(page);
}

interface Arrived {
  amount: string;
  payment: string;
}

export async function fillArrived(dialog: Locator, { amount, payment }: Arrived): Promise<void> {
  await dialog.getByLabel('Amount received').fill(amount);
  await dialog.getByLabel('Transaction ID on the network').fill(payment);
}

export async function confirmDeposit(page: Page, transactionid: string, arrived: Arrived): Promise<void> {
  const dialog = await openItem(page, transactionid, 'Review');
  await fillArrived(dialog, arrived);
  await dialog.getByRole('button', { name: /^Confirm \$/ }).click();
  await expect(queueRow(page, transactionid)).toHaveCount(0);
  await expect(dialog).toBeHidden();
}

export async function approve(page: Page, transactionid: string): Promise<void> {
  const dialog = await openItem(page, transactionid, 'Approve');
  await dialog.getByRole('button', { name: /^Approve \$/ }).click();
  await expect(dialog).toBeHidden();
}

export async function markPaid(page: Page, transactionid: string, payment: string): Promise<void> {
  const dialog = await openItem(page, transactionid, 'Mark paid');
  await dialog.getByLabel('Transaction ID on the network').fill(payment);
  await dialog.getByRole('button', { name: /^Mark \$.* paid$/ }).click();
  await expect(queueRow(page, transactionid)).toHaveCount(0);
  await expect(dialog).toBeHidden();
}

/** Two operators with the same request open press at the same moment: one has done it, the other is told who did. */
export async function expectOneWins(
  consoles: readonly [Page, Page],
  names: readonly [string, string],
  button: RegExp,
): Promise<void> {
  const drawers = consoles.map(drawer);
  await Promise.all(drawers.map((each) => each.getByRole('button', { name: button }).click()));
  const open = () => Promise.all(drawers.map((each) => each.count()));
  await expect.poll(async () => (await open()).join()).toMatch(/^(0,1|1,0)$/);
  const second = (await open())[0] === 1 ? 0 : 1;
  const told = drawer(consoles[second]);
  await expect(told.getByRole('alert')).toContainText(`already, by ${names[1 - second]}.`);
  // What was typed is worth nothing any more, so nobody is asked about it.
  await expect(told.getByRole('status').filter({ hasText: 'no longer in the queue' })).toBeVisible();
  await told.getByRole('button', { name: 'Close' }).click();
  await expect(told).toBeHidden();
}

/** Gives one of the reasons that are offered. */
export async function reject(page: Page, text: string, reason: string): Promise<void> {
  const dialog = await openItem(page, text, 'Reject');
  await dialog.getByRole('radio', { name: reason }).check();
  await dialog.getByRole('button', { name: /^Reject (deposit|withdrawal)$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(queueRow(page, text)).toHaveCount(0);
}
