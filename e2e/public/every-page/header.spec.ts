import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';

const links = {
  Home: '/',
  'About Us': '/aboutus',
  'Contact Us': '/contactus',
  'Privacy Policy': '/privacy',
  'Log In': '/login',
  'Sign Up': '/signup',
};

const header = (page: Page) => page.locator('header');
const menuButton = (page: Page) => header(page).getByRole('button', { name: 'Menu' });

async function expectLinksShown(page: Page) {
  for (const [name, target] of Object.entries(links)) {
    const link = header(page).getByRole('link', { name, exact: true });
    await expect(link).toBeVisible();
    await expect(link).toHaveAttribute('href', target);
  }
}

test('the header is 80 px high, leads where it says and marks the page that is open', async ({
  page,
  isMobile,
}) => {
  await page.goto('/');
  expect((await header(page).boundingBox())?.height).toBe(80);
  if (!isMobile) await expect(menuButton(page)).toBeHidden();
  const openMenu = async () => {
    if (isMobile) await menuButton(page).click();
  };
  for (const [name, to] of Object.entries(links)) {
    await openMenu();
    await expectLinksShown(page);
    await header(page).getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(to);
    if (to === '/login' || to === '/signup') {
      // The sign-in pages have a header of their own.
      await page.goBack();
      continue;
    }
    if (isMobile) await expect(header(page).getByRole('navigation', { name: 'Main' })).toBeHidden();
    await openMenu();
    await expect(header(page).locator('[aria-current=page]').filter({ visible: true })).toHaveText([name]);
    if (isMobile) await page.keyboard.press('Escape');
  }
});

test('whoever is signed in is not offered Log In and Sign Up, and nothing jumps when the scripts arrive', async ({
  page,
  isMobile,
}) => {
  // Of the pages with this header, the one that the app takes over.
  await page.goto('/contactus');
  const session = { _id: '1', token: 'x', fullname: 'Wren Hollis', email: 'wren@example.com' };
  await page.evaluate((stored) => localStorage.setItem('userdata', JSON.stringify(stored)), session);
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/contactus', { waitUntil: 'commit' });
  const link = (name: string) => header(page).getByRole('link', { name, exact: true });
  const dashboard = link('Dashboard');
  await expect(isMobile ? menuButton(page) : dashboard).toBeVisible();
  // Letters in their own font are not the scripts' doing.
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  const shift = await shiftOf(page);
  const before = await header(page).screenshot();
  expect(await isHolding(page)).toBe(true);
  held.resolve();
  await expect.poll(() => isHolding(page)).toBe(false);
  expect(before.equals(await header(page).screenshot())).toBe(true);
  expect(await shiftOf(page)).toBe(shift);

  if (isMobile) await menuButton(page).click();
  await expect(dashboard).toHaveAttribute('href', '/dashboard');
  for (const name of ['Log In', 'Sign Up']) await expect(link(name)).toBeHidden();
  if (isMobile)
    expect((await dashboard.boundingBox())?.y).toBeLessThan((await link('Home').boundingBox())?.y ?? 0);

  // Signed out in another tab.
  await page.evaluate(() => {
    localStorage.removeItem('userdata');
    dispatchEvent(new StorageEvent('storage'));
  });
  await expectLinksShown(page);
  await expect(dashboard).toBeHidden();

  // Signed in on another page, and back to this one, which the browser had kept.
  await page.evaluate((session) => {
    localStorage.setItem('userdata', JSON.stringify(session));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  }, session);
  await expect(dashboard).toBeVisible();
});

/** Whether the app is still on its way to this page. */
const isHolding = (page: Page) => page.evaluate(() => 'releaseHeld' in window);

/** How much of what was drawn has moved by itself. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((tell) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => tell(sum)));
      }),
  );
}

test.describe('on a small screen', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu starts closed, flips with each press and closes with Esc; Log In and Sign Up stand above the links', async ({
    page,
    expectAccessible,
  }) => {
    await page.goto('/');
    const menu = header(page).getByRole('navigation', { name: 'Main' });
    const expectClosed = async () => {
      await expect(menu).toBeHidden();
      await expect(header(page).getByRole('link', { name: 'Sign Up' })).toBeHidden();
      await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'false');
    };
    await expectClosed();
    await menuButton(page).click();
    await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
    await expectLinksShown(page);
    const top = async (name: string) =>
      (await header(page).getByRole('link', { name, exact: true }).boundingBox())?.y ?? Number.NaN;
    for (const button of ['Log In', 'Sign Up']) expect(await top(button)).toBeLessThan(await top('Home'));
    await expectAccessible();
    await menuButton(page).click();
    await expectClosed();
    await menuButton(page).click();
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expectClosed();
    await expect(menuButton(page)).toBeFocused();
  });

  test('the page under the menu stands still, and the Tab key behind the last row closes it', async ({
    page,
  }) => {
    await page.goto('/');
    await menuButton(page).click();
    await page.mouse.move(195, 700);
    await page.mouse.wheel(0, 500);
    const rows = await header(page).getByRole('link').filter({ visible: true }).count();
    // Without the name of the site, which stands before the button.
    for (let row = 1; row < rows; row++) await page.keyboard.press('Tab');
    await expect(header(page).getByRole('link', { name: 'Privacy Policy' })).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.press('Tab');
    await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'false');
  });
});
