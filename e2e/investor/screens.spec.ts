import type { Page } from '@playwright/test';
import { demoInvestor } from '@tallystick/contract/demo';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, themeOf } from '../looking.ts';
import { logIn } from '../screens.ts';

/** The demo's investor has lived through a bit of everything, so that no screen is empty. */
async function begin(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/login');
  const answer = await page.request.get(demoInvestor.path);
  await logIn(page, demoInvestor.answer.parse(await answer.json()));
  await expect(page).toHaveURL('/dashboard');
}

const phonePaths = [
  '/dashboard',
  '/mobileinvestment',
  '/mobiletransaction',
  '/mobilesettings',
  '/mobileuserprofile',
  '/passwordchange',
  '/mobileaboutus',
  '/mobilecontactus',
];
const widePaths = ['/dashboard', '/investment', '/transaction', '/profile'];

test('every screen can be used by everyone, in light and dark, and fits a narrow phone', async ({
  page,
  isMobile,
  expectAccessible,
}) => {
  await begin(page);
  await page.emulateMedia({ colorScheme: themeOf(isMobile) });
  for (const path of isMobile ? phonePaths : widePaths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectAccessible();
      if (isMobile) await expectNoSidewaysScroll(page);
    });
  }
});

test('each money form can be used by everyone, in light and dark, and gives the focus back', async ({
  page,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  await begin(page);
  const forms = isMobile
    ? { Fund: 'Fund Wallet', Invest: 'Invest', Withdraw: 'Withdrawal' }
    : { 'Fund Wallet': 'Fund Wallet', Invest: 'Invest', Withdrawal: 'Withdrawal' };
  for (const [button, title] of Object.entries(forms)) {
    await test.step(title, async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      const opener = page.getByRole('main').getByRole('button', { name: button, exact: true });
      await opener.click();
      const dialog = page.getByRole('dialog', { name: title });
      await expect(dialog).toBeVisible();
      await expectAccessible();
      // Everything that a form can show stands there once something is chosen.
      await dialog.getByRole('combobox').click();
      await page.getByRole('option').first().click();
      await expect(dialog.getByLabel('Amount')).toBeVisible();
      await expectAccessible();
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectReadable();
      // The focus goes round inside, however often Tab is pressed.
      for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toHaveCount(1);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
    });
  }
});

test('the file of a list holds what the list shows', async ({ page }) => {
  await begin(page);
  await page.goto('/transaction?search=profit');
  const link = page.getByRole('link', { name: 'Export CSV' });
  await expect(link).toHaveAttribute('href', '/api/funding/fetchbalance/export.csv?search=profit');
  const started = page.waitForEvent('download');
  await link.click();
  const stream = await (await started).createReadStream();
  const lines = Buffer.concat(await stream.toArray())
    .toString()
    .trim()
    .split('\r\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(1)) expect(line.split(',')[1]).toBe('Profit');
  await page.goto('/investment?status=completed');
  await expect(link).toHaveAttribute('href', /export\.csv\?status=completed$/);
});

test('the phone’s contacts lead to the form of the contact page', async ({ page }) => {
  await begin(page);
  await page.goto('/mobilecontactus');
  await page.getByRole('link', { name: 'Write a message' }).click();
  await expect(page).toHaveURL('/contactus#write');
  await expect(page.getByRole('button', { name: 'Send message' })).toBeInViewport();
  await expect(page.locator('#write')).toBeFocused();
});
