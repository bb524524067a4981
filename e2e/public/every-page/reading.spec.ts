import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';

const isApp = (page: Page) => page.evaluate(() => '__reactRouterContext' in window);

test('pages to read come without the app, links lead into it and out of it again, and Back returns', async ({
  page,
}) => {
  await page.goto('/aboutus');
  expect(await isApp(page)).toBe(false);
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'Contact Us' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact us');
  expect(await isApp(page)).toBe(true);
  await page.waitForFunction(() => !('releaseHeld' in window));
  // A page that is loaded anew forgets this.
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await footer.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
  expect(await page.evaluate(() => 'stays' in window)).toBe(false);
  expect(await isApp(page)).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL('/contactus');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact us');
  await page.goBack();
  await expect(page).toHaveURL('/aboutus');
});

test('the scripts of the app are fetched when a pointer or a finger comes near a link to it', async ({
  page,
  isMobile,
}) => {
  await page.goto('/blog');
  // Its scripts are fetched once it has been drawn, which may be after it has loaded, and what comes before them nobody
  // notices. Putting the second face into the page is the last thing that they do.
  await expect(page.locator('style[media="not all"]')).toHaveCount(0);
  const link = page.getByRole('main').getByRole('link', { name: 'Get Started' });
  const fetched = page.waitForRequest((request) => request.url().includes('/framework-'));
  await link.scrollIntoViewIfNeeded();
  if (isMobile) await link.dispatchEvent('touchstart');
  else await link.hover();
  await fetched;
  await expect(page).toHaveURL('/blog');
  await link.click();
  await expect(page).toHaveURL('/signup');
});

test('the theme goes round, is there before the page is drawn and is the same in the app and in other tabs', async ({
  page,
  context,
}) => {
  await page.goto('/blog');
  const other = await context.newPage();
  await other.goto('/contactus');
  for (const [name, scheme, barsOf] of [
    ['Light', 'light', ['all', 'not all']],
    ['Dark', 'dark', ['not all', 'all']],
    ['System', 'light dark', ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']],
  ] as const) {
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /^Theme/ })
      .click();
    for (const one of [page, other]) {
      await expect(one.getByRole('contentinfo').getByRole('button', { name: /^Theme/ })).toHaveAccessibleName(
        `Theme: ${name}`,
      );
      await expect(one.locator('html')).toHaveCSS('color-scheme', scheme);
      const colours = one.locator('meta[name=theme-color]');
      for (const [at, media] of barsOf.entries())
        await expect(colours.nth(at)).toHaveAttribute('media', media);
    }
  }
  await other.getByRole('contentinfo').getByRole('button', { name: 'Theme: System' }).click();
  // Its files of scripts never come.
  await page.route('**/assets/*.js', () => {});
  await page.goto('/privacy', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
});

test('the second face is asked for once the page has been drawn, and is then the one that codes are written in', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const second = () => asked.filter((path) => path.includes('geist-mono')).length;
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/later-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/blog/how-to-check-your-balance');
  await expect(page.locator('.prose code').first()).toBeVisible();
  expect(second()).toBe(0);
  held.resolve();
  await expect.poll(second).toBe(1);
  await expect
    .poll(() => page.evaluate(() => document.fonts.check('16px "Geist Mono Variable"', 'a')))
    .toBe(true);
});
