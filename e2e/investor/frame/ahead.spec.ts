import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { openDashboard } from '../../people/money-forms.ts';
import { openWithoutScripts } from '../../people/screens.ts';

/** Where the parts of the frame and of the dashboard stand that are seen first. */
const places = (page: Page) =>
  page.evaluate(() =>
    ['header', 'main', '[aria-label=Sections]', '[aria-label=Side]', 'h1', '[aria-label=Balance]'].map(
      (part) => {
        const found = [...document.querySelectorAll(part)].map((one) => one.getBoundingClientRect());
        const { x, y, width, height } = found.find((one) => one.width > 0) ?? new DOMRect();
        return { part, x, y, width, height };
      },
    ),
  );

test('whoever is signed in sees the frame with their name before the app is there, and nothing moves when it comes', async ({
  page,
  server,
  wallets,
}) => {
  const owner = await wallets.owner();
  await openDashboard(page, owner, server.url);
  await page.route('**/api/**', () => {});
  const release = await openWithoutScripts(page, '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(owner.session.fullname);
  await expect(page.getByRole('link', { name: /^(Home|Dashboard)$/ }).first()).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('main')).toHaveCount(1);
  const before = await places(page);
  release();
  await expect(page.locator('[data-ahead]')).toHaveCount(0);
  expect(await places(page)).toEqual(before);
});

const moneyButton = (page: Page, name: RegExp) =>
  page.getByRole('region', { name: 'Balance', exact: true }).getByRole('button', { name });

test('what is pressed in the frame before the app is there is not pressed in vain, the last where it is more', async ({
  page,
  server,
  wallets,
}) => {
  await openDashboard(page, await wallets.owner(), server.url);
  const release = await openWithoutScripts(page, '/dashboard');
  await moneyButton(page, /^Invest/).click();
  await moneyButton(page, /^Fund( Wallet)?$/).click();
  release();
  await expect(page.getByRole('dialog', { name: 'Fund Wallet' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(moneyButton(page, /^Fund( Wallet)?$/)).toBeFocused();
});

test('whoever is in the phone’s menu of the frame stays there when the app comes', async ({
  page,
  server,
  wallets,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openDashboard(page, await wallets.owner(), server.url);
  const release = await openWithoutScripts(page, '/dashboard');
  const menu = page.getByRole('button', { name: 'Menu' });
  const row = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Transaction' });
  await menu.click();
  await row.focus();
  release();
  await expect(page.locator('[data-ahead]')).toHaveCount(0);
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await expect(row).toBeFocused();
});

test('another screen has the frame without the dashboard, the console has none of it', async ({
  page,
  server,
  wallets,
}) => {
  const owner = await wallets.owner();
  await openDashboard(page, owner, server.url);
  await openWithoutScripts(page, '/mobiletransaction');
  await expect(page.getByRole('region', { name: 'Welcome' })).toHaveText(
    `Welcome, ${owner.session.fullname}`,
  );
  await expect(page.getByRole('region', { name: 'Balance' })).toHaveCount(0);
  await openWithoutScripts(page, '/operator/login');
  await expect(page.getByText('Loading', { exact: true }).filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
});

test('whoever is not signed in sees nothing of the frame', async ({ page }) => {
  const release = await openWithoutScripts(page, '/dashboard');
  await expect(page.getByText('Loading', { exact: true }).filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('heading')).toHaveCount(0);
  release();
  await expect(page).toHaveURL('/');
});

test('a screen that is opened in a tab behind others is whole before anybody looks at it', async ({
  page,
  server,
  wallets,
}) => {
  await openDashboard(page, await wallets.owner(), server.url);
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true });
    window.requestAnimationFrame = () => 0;
  });
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(page.locator('[data-ahead]')).toHaveCount(0);
});
