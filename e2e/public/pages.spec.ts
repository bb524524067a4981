import type { Page } from '@playwright/test';
import { publicPaths } from '@tallystick/contract/site';
import { expect, test } from '../fixtures.ts';

/** What the pages of the sign-in and the landing page are called. */
const pages: Record<string, { title: string; heading: RegExp }> = {
  '/': {
    title: 'Tallystick | Buy & Invest Crypto Tokens Easily',
    heading: /^Buy & Invest\s+Crypto Tokens\s+Easily$/,
  },
  '/login': { title: 'Log In | Tallystick', heading: /^Welcome back$/ },
  '/signup': { title: 'Sign Up | Tallystick', heading: /^Create A Personal Account$/ },
  '/verifyemail': { title: 'Activate Your Account | Tallystick', heading: /^Activate Your Account$/ },
  '/emailsuccess': {
    title: 'Email Verification Successful | Tallystick',
    heading: /^Email Verification Successful$/,
  },
  '/forgotpass': { title: 'Forgot Password | Tallystick', heading: /^Forgot password$/i },
  '/verifyforgotcode': { title: 'Verify Code | Tallystick', heading: /^Enter the code$/ },
  '/updatepass': { title: 'Update Password | Tallystick', heading: /^Choose a new password$/ },
  '/changepasssuccess': {
    title: 'Password Change Successfuly | Tallystick',
    heading: /^Password Change Successfuly$/,
  },
};

/** A page without a line above still has to name itself and the site. */
const unnamed = { title: /^.+ \| Tallystick$/, heading: /\S/ };

async function expectPage(page: Page, path: string) {
  const { title, heading } = pages[path] ?? unnamed;
  const headings = page.getByRole('heading', { level: 1 });
  await expect(page).toHaveTitle(title);
  await expect(headings).toHaveCount(1);
  await expect(headings).toBeVisible();
  await expect(headings).toHaveText(heading);
}

for (const path of publicPaths) {
  test(`${path} says what it is, fits a narrow phone and can be used by everyone, in light and dark`, async ({
    page,
    expectAccessible,
  }) => {
    // Colours that are still changing would be judged half-way.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect((await page.goto(path))?.status()).toBe(200);
    await expectPage(page, path);
    await expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();

    await page.setViewportSize({ width: 360, height: 780 });
    await expectPage(page, path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
}

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false });

  test('every page can be read', async ({ page }) => {
    for (const path of publicPaths) {
      await page.goto(path);
      await expectPage(page, path);
      await expect(page.getByRole('main'), path).toHaveText(/.{40}/s, { useInnerText: true });
    }
  });
});

test('an unknown address answers 404 with a page that leads home', async ({
  page,
  complaints,
  expectAccessible,
}) => {
  complaints.announceStatus(404);
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expect(page).toHaveTitle('Page not found | Tallystick');
  await expectAccessible();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Crypto Tokens');
});

test('every page of the demo says that it is one and leads to its mail', async ({ page }) => {
  for (const path of ['/', '/login'] as const) {
    await page.goto(path);
    const ribbon = page.getByRole('complementary', { name: 'Demo' });
    await expect(ribbon).toBeVisible();
    await expect(ribbon).toContainText(/sample data/i);
    await expect(page.locator('header').getByText(/^Demo/)).toHaveCount(0);
    await ribbon.getByRole('link').click();
    await expect(page).toHaveURL('/dev/inbox');
    await expect(page.getByRole('heading', { name: 'Development inbox' })).toBeVisible();
  }
});
