import { type InvestorPath, investorPaths } from '@tallystick/contract/site';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, goOnTo, themeOf } from '../../looking/looking.ts';
import { openDashboard, openDemoDashboard } from '../../people/money-forms.ts';

/** The screens by the name that each has; the dashboard greets its owner instead. */
const phoneScreens = {
  '/dashboard': 'Amara Okonkwo',
  '/mobileinvestment': 'Investments',
  '/mobiletransaction': 'Transactions',
  '/myproof': 'Proof',
  '/notices': 'Notices',
  '/mobilesettings': 'Settings',
  '/mobileuserprofile': 'Profile',
  '/passwordchange': 'Password Change',
  '/mobileaboutus': 'About Us',
  '/mobilecontactus': 'Contact Us',
} satisfies Partial<Record<InvestorPath, string>>;
const wideScreens = {
  '/dashboard': 'Amara Okonkwo',
  '/investment': 'Investments',
  '/transaction': 'Transactions',
  '/myproof': 'Proof',
  '/notices': 'Notices',
  '/profile': 'Profile',
} satisfies Partial<Record<InvestorPath, string>>;

test('every screen can be used by everyone, in light and dark, and fits a narrow phone', async ({
  page,
  server,
  isMobile,
  expectAccessible,
}) => {
  await openDemoDashboard(page, server.url);
  await page.emulateMedia({ colorScheme: themeOf(isMobile) });
  for (const [path, title] of Object.entries(isMobile ? phoneScreens : wideScreens)) {
    await test.step(path, async () => {
      expect((await page.request.get(path)).status()).toBe(200);
      await goOnTo(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectAccessible();
      if (isMobile) await expectNoSidewaysScroll(page);
    });
  }
});

test('the chart is told in words at once, and drawn when it is about to be seen', async ({
  page,
  server,
  isMobile,
}) => {
  await openDemoDashboard(page, server.url);
  const chart = page.getByRole('img', { name: /^Bitcoin in US dollars\. (Up|Down)/ });
  await expect(chart).toBeVisible();
  // On a phone it stands a screen below the balance.
  if (isMobile) await expect(chart.locator('canvas')).toHaveCount(0);
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.locator('canvas').first()).toBeVisible();
});

test('who comes back to the dashboard finds it where it was left', async ({ page, server }) => {
  await openDemoDashboard(page, server.url);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const more = page.getByRole('link', { name: 'View all entries' });
  await more.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await more.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Transactions');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Amara Okonkwo');
  await expect.poll(scrolled).toBe(before);
});

test('each money form can be used by everyone, in light and dark, and gives the focus back', async ({
  page,
  server,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  await openDemoDashboard(page, server.url);
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

test('no screen is without the welcome banner, and a long name breaks it on none', async ({
  page,
  server,
  wallets,
  isMobile,
}) => {
  const fullname = `Maximiliana ${'Wolfeschlegel'.repeat(6)} Hohenlohe`;
  expect(fullname).toHaveLength(100);
  await openDashboard(page, await wallets.owner({ fullname }), server.url);
  const banner = page.getByRole('region', { name: 'Welcome', exact: true });
  for (const path of investorPaths) {
    await goOnTo(page, path);
    if (path !== '/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).not.toContainText(fullname);
    await expect(banner, path).toContainText(fullname);
    await expect(banner, path).toHaveCount(1);
    if (path === '/dashboard') continue;
    // Short: one line, or as many as such a name takes on a phone.
    expect((await banner.boundingBox())?.height, path).toBeLessThanOrEqual(isMobile ? 96 : 40);
  }
  if (isMobile) await expectNoSidewaysScroll(page);
});
