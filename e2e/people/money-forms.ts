import { expect, type Locator, type Page } from '@playwright/test';
import { pathOf } from '@tallystick/contract/call';
import { demoInvestor } from '@tallystick/contract/demo';
import { type Session, signin } from '@tallystick/contract/users';
import type { Owner } from './wallets.ts';

/** What investors do on the dashboard and in its three forms, at either size. */

const forms = {
  fund: { buttons: /^Fund( Wallet)?$/, title: 'Fund Wallet' },
  invest: { buttons: /^Invest$/, title: 'Invest' },
  withdraw: { buttons: /^Withdraw(al)?$/, title: 'Withdrawal' },
} as const;

/** Opens the dashboard as somebody whose session began elsewhere: the sign-in form has tests of its own. */
export async function openDashboard(page: Page, { session }: Owner, siteUrl: string): Promise<void> {
  await page.clock.install();
  await openWith(page, session, siteUrl);
}

/** The demo's investor has lived through a bit of everything, so that no screen is empty. */
export async function openDemoDashboard(page: Page, siteUrl: string): Promise<void> {
  const details = await page.request.get(pathOf(demoInvestor));
  // With the browser's own cookies, which downloads need.
  const answer = await page.request.post(pathOf(signin), { data: await details.json() });
  await openWith(page, (await answer.json()) as Session, siteUrl);
}

export async function openWith(page: Page, session: Session, siteUrl: string): Promise<void> {
  const { cookies } = await page.context().storageState();
  const localStorage = [{ name: 'userdata', value: JSON.stringify(session) }];
  await page.context().setStorageState({ cookies, origins: [{ origin: siteUrl, localStorage }] });
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(session.fullname);
  // The frame ahead of the app has the name, too.
  await expect(page.locator('[data-ahead]')).toHaveCount(0);
}

/**
 * The screens ask the server again every few seconds. The browser's clock goes on by as much, so that a test sees what
 * a person sees a moment later, without a reload and without the waiting.
 */
export async function waitForNews(page: Page): Promise<void> {
  await page.clock.fastForward(5_000);
}

export const balanceCard = (page: Page) => page.getByRole('region', { name: 'Balance', exact: true });

interface Sums {
  available: string;
  invested?: string;
  withdrawing?: string;
  together: string;
}

/** Every figure of the balance card, to the cent. */
export async function expectSums(page: Page, { available, invested, withdrawing, together }: Sums) {
  const card = balanceCard(page);
  await expect(card.getByRole('heading').locator('xpath=following-sibling::p[1]')).toHaveText(available);
  const figures = card.locator('dd');
  await expect(figures).toHaveText([invested ?? '$0.00', withdrawing ?? '$0.00', together]);
}

/** The newest entries of the wallet as the dashboard lists them: what each was, and its amount with its sign. */
export async function expectEntries(page: Page, rows: readonly (readonly [string, string])[]) {
  const items = page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem');
  await expect(items).toHaveCount(rows.length);
  for (const [index, [name, amount]] of rows.entries()) {
    await expect(items.nth(index)).toContainText(name);
    await expect(items.nth(index).getByText(amount, { exact: true })).toBeVisible();
  }
}

export async function openForm(page: Page, which: keyof typeof forms): Promise<Locator> {
  const { buttons, title } = forms[which];
  await balanceCard(page).getByRole('button', { name: buttons }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog.getByRole('combobox')).toBeVisible();
  return dialog;
}

export async function choose(page: Page, dialog: Locator, option: string): Promise<void> {
  // What is chosen first may bring another choice.
  const field = dialog.getByRole('combobox').first();
  await field.click();
  await page.getByRole('option', { name: option }).click();
  await expect(field).toContainText(option);
}

/** The figures of a receipt, by their names. */
export async function expectReceipt(dialog: Locator, rows: Record<string, string | RegExp>): Promise<void> {
  for (const [name, value] of Object.entries(rows)) {
    const line = dialog.locator('dl > div').filter({ has: dialog.page().getByText(name, { exact: true }) });
    await expect(line.getByRole('definition')).toHaveText(value);
  }
}

/** Reads the transaction's name from the success modal and closes it. */
export async function closeSuccess(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  const transactionid = await dialog.getByText(/^TS-/).textContent();
  const close = dialog.getByRole('button', { name: 'Close' });
  await expect(close).toBeFocused();
  await close.click();
  await expect(dialog).toBeHidden();
  return transactionid ?? '';
}
