import type { Page } from '@playwright/test';
import { formatUsd } from '@tallystick/contract/money';
import { expect, test } from '../../fixtures.ts';
import { lookInBothThemes } from '../../looking/looking.ts';

const part = (page: Page, id: string) => page.locator(`#${id}`);

test('everybody sees what is owed and held, who signs the log, every plan and every address', async ({
  page,
  request,
  expectAccessible,
  expectReadable,
}) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'See what is owed and held' }).click();
  await expect(page).toHaveURL('/proof');

  const books = part(page, 'statements');
  const { statements } = await (await request.get('/api/proof/statements')).json();
  const [{ owed, held, number, place }] = statements;
  const cents = owed.reduce((sum: bigint, one: string) => sum + BigInt(one), 0n);
  await expect(books.getByRole('region', { name: 'Owed', exact: true })).toContainText(formatUsd(cents));
  const holdings = books.getByRole('region', { name: 'Held', exact: true });
  await expect(holdings).toContainText(formatUsd(BigInt(held)));
  // In the demo no chain is read, and the page says whose word it is.
  await expect(holdings).toContainText('Entered by an operator');
  const points = String((BigInt(held) * 10_000n) / cents);
  await expect(books).toContainText(`Coverage${points.slice(0, -2)}.${points.slice(-2)}%`);
  await expect(books).toContainText(`Statement ${number}, entry ${place + 1} of the log`);

  const { vkey, size } = await (await request.get('/api/proof/state')).json();
  await expect(part(page, 'log')).toContainText(vkey);
  await expect(part(page, 'log')).toContainText(`${size} entries`);
  await expect(part(page, 'log')).toContainText('0 witnesses');
  await expect(part(page, 'log')).toContainText('proves nothing');
  await expect(part(page, 'plan-changes').getByRole('listitem').first()).toContainText(
    /Version \d+\s*(Open|Closed)/,
  );
  await expect(part(page, 'addresses')).toContainText('tb1q');
  for (const folded of await page.locator('summary').all()) await folded.click();
  await lookInBothThemes(page, { expectAccessible, expectReadable });
});

test('before the first statement, with a stopped log and without an answer the page says so', async ({
  page,
  complaints,
}) => {
  complaints.announce(/Error fetching plan-changes/);
  complaints.tolerate(/ERR_FAILED/);
  await page.route('**/api/proof/entries?*kind=books*', (route) =>
    route.fulfill({ json: { entries: [], more: false } }),
  );
  await page.route('**/api/proof/entries?*kind=plan*', (route) => route.abort());
  await page.route('**/api/proof/state*', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, stopped: 'The log is shorter than what was signed.' } });
  });
  await page.goto('/proof');
  await expect(part(page, 'statements')).toContainText('There is no statement of the books yet');
  await expect(page.getByRole('alert')).toContainText('The log is shorter than what was signed.');
  await expect(part(page, 'plan-changes')).toContainText('could not be loaded');
  await page.unroute('**/api/proof/entries?*kind=plan*');
  await part(page, 'plan-changes').getByRole('button', { name: 'Retry' }).click();
  await expect(part(page, 'plan-changes').getByRole('listitem').first()).toBeVisible();
});

test('the last line of the footer leads to the proof', async ({ page }) => {
  await page.goto('/privacy');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Proof' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Proof');
});
