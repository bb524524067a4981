import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, themeOf } from '../../looking/looking.ts';
import { expectPage, paths, toRead } from '../../looking/public-pages.ts';
import { openDemoDashboard } from '../../people/money-forms.ts';

/** What is only read brings a few scripts of its own; the one with a form brings the app, and nothing of what is for those who are signed in. */
async function expectLean(page: Page, path: string) {
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const scripts = loaded.filter((name) => name.endsWith('.js'));
  if (path !== '/contactus') return expect(scripts.filter((name) => !name.includes('/later-'))).toEqual([]);
  expect(scripts.filter((name) => name.includes('/framework-'))).toHaveLength(1);
  expect(scripts.filter((name) => name.includes('/signed-in-'))).toEqual([]);
}

/** What a search engine reads, and what is shown where the page is shared. */
async function expectShared(page: Page, path: string) {
  const content = (selector: string) => page.locator(`head ${selector}`).getAttribute('content');
  const canonical = await page.locator('head link[rel=canonical]').getAttribute('href');
  expect(new URL(canonical ?? '').pathname).toBe(path);
  expect(await content('meta[property="og:url"]')).toBe(canonical);
  expect(await content('meta[property="og:title"]')).toBe(await page.title());
  expect(await content('meta[name=description]')).toMatch(/.{30}/);
  const image = new URL((await content('meta[property="og:image"]')) ?? '');
  expect((await page.request.get(image.pathname)).headers()['content-type']).toBe('image/png');
  for (const statement of await page.locator('head script[type="application/ld+json"]').allTextContents()) {
    expect(JSON.parse(statement)).toMatchObject({ '@context': 'https://schema.org' });
  }
}

const kinds = { reading: toRead, 'signing in': paths.filter((path) => !toRead.includes(path)) };

for (const [kind, pathsOfKind] of Object.entries(kinds)) {
  test(`every page for ${kind} says what it is, fits a narrow phone and can be used by everyone, in light and dark`, async ({
    page,
    isMobile,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme: themeOf(isMobile) });
    for (const path of pathsOfKind) {
      await test.step(path, async () => {
        expect((await page.goto(path))?.status()).toBe(200);
        await expectPage(page, path);
        if (toRead.includes(path)) {
          await expectShared(page, path);
          await expectLean(page, path);
        }
        await expectAccessible();
        if (isMobile) await expectNoSidewaysScroll(page, () => expectPage(page, path));
      });
    }
  });
}

test('an unknown address answers 404 with a page that leads home', async ({
  page,
  complaints,
  expectAccessible,
}) => {
  complaints.announceStatus(404);
  for (const path of ['/blog/no-such-post', '/no/such/page']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    await expect(page).toHaveTitle('Page not found | Tallystick');
  }
  await expectAccessible();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Crypto Tokens');
});

test('the site map names every page to read, and the robots file names the site map', async ({ request }) => {
  const map = await (await request.get('/sitemap.xml')).text();
  const listed = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
  expect(listed.toSorted()).toEqual(toRead.toSorted());
  expect(await (await request.get('/robots.txt')).text()).toMatch(/^Sitemap: https?:\/\/\S+\/sitemap\.xml$/m);
});

test('every page of the demo says that it is one, and its mail opens beside without losing what was typed', async ({
  page,
}) => {
  for (const path of ['/', '/login'] as const) {
    await page.goto(path);
    const ribbon = page.getByRole('complementary', { name: 'Demo' });
    await expect(ribbon).toBeVisible();
    await expect(ribbon).toContainText(/sample data/i);
    await expect(page.locator('header').getByText(/^Demo/)).toHaveCount(0);
    const link = ribbon.getByRole('link', { name: /inbox \(opens in a new tab\)$/i });
    const opened = page.waitForEvent('popup');
    await link.click();
    const inbox = await opened;
    await expect(inbox).toHaveURL('/dev/inbox');
    await expect(inbox.getByRole('heading', { name: 'Development inbox' })).toBeVisible();
    expect(await inbox.evaluate(() => window.opener)).toBeNull();
    await expect(page).toHaveURL(path);
  }
});

test('a page that breaks says so, with a reference and a way home', async ({
  page,
  server,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  complaints.announce(/Unexpected Application Error!/);
  complaints.tolerate(/Cannot read properties of (undefined|null)/, /Minified React error/);
  await openDemoDashboard(page, server.url);
  // An answer of a shape that no version of the server ever gave.
  await page.route('**/api/investment/fetchsingleinvestment/**', (route) =>
    route.fulfill({ json: { investment: [null] } }),
  );
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/investment');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expect(page.getByText(/^Reference/)).toBeVisible();
  await expectAccessible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectReadable();
  await page.getByRole('button', { name: 'Go to Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Crypto Tokens');
});
