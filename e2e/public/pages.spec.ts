import type { Page } from '@playwright/test';
import { publicPaths, readingPaths } from '@tallystick/contract/site';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, themeOf } from '../looking.ts';
import { posts } from '../posts.ts';

const toRead: string[] = [...readingPaths, ...Object.keys(posts)];
const paths: string[] = [...publicPaths, ...Object.keys(posts)];

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
        if (toRead.includes(path)) await expectShared(page, path);
        await expectAccessible();
        if (isMobile) await expectNoSidewaysScroll(page);
      });
    }
  });
}

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false });

  /** Words from every part of a page, those that are folded away with scripts among them. */
  const words: Record<string, RegExp[]> = {
    '/': [
      /Buy & Invest/,
      /Written once/,
      /Can I lose money\?/,
      /There is no fee/,
      /work out the codes yourself/,
      /The risks, in plain words/,
    ],
    '/aboutus': [/Our mission/, /Our forte/, /Head of Finance/, /Users come first/],
    '/privacy': [
      /run your account/,
      /Work for ten minutes/,
      /The price service/,
      /Two cookies/,
      /Read the full policy/,
    ],
    '/privacypolicy': [/Who is responsible/, /Your rights/],
    '/contactus': [/sales@/, /support@/, /Mon–Friday 8am–4pm/, /24\/7 live chat/, /UK office/],
    '/blog': [/How fixed plans work/],
    '/blog/how-to-check-your-balance': [/compare the codes/],
    '/blog/how-fixed-plans-work': [/\$5,095\.00/],
    '/blog/the-risks-in-plain-words': [/Someone may pretend to be us/],
  };

  test('every page can be read', async ({ page }) => {
    expect(Object.keys(words).toSorted()).toEqual(toRead.toSorted());
    for (const path of paths) {
      await page.goto(path);
      await expectPage(page, path);
      for (const expected of words[path] ?? [/.{40}/s]) {
        await expect(page.getByRole('main'), path).toContainText(expected, { useInnerText: true });
      }
    }
  });
});

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

test('a page that breaks says so, with a reference and a way home', async ({
  page,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  complaints.announce(/Unexpected Application Error!/);
  complaints.tolerate(/is not a function/, /Minified React error/);
  // An answer of a shape that no version of the server ever gave.
  await page.route('**/api/investment/fetchallinvestmentmethod', (route) =>
    route.fulfill({ json: { data: 5 } }),
  );
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expect(page.getByText(/^Reference/)).toBeVisible();
  await expectAccessible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectReadable();
  await page.unroute('**/api/investment/fetchallinvestmentmethod');
  await page.getByRole('button', { name: 'Go to Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Crypto Tokens');
});
