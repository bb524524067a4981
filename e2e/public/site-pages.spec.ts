import type { Page } from '@playwright/test';
import { readingPaths } from '@tallystick/contract/site';
import { expect, test } from '../fixtures.ts';

const posts = {
  '/blog/how-to-check-your-balance': 'How to check your balance yourself',
  '/blog/how-fixed-plans-work': 'How fixed plans work: amount, days, return',
  '/blog/the-risks-in-plain-words': 'The risks, in plain words',
};
const paths = [...readingPaths, ...Object.keys(posts)];

const main = (page: Page) => page.getByRole('main');
const footer = (page: Page) => page.getByRole('contentinfo');

for (const path of paths) {
  test(`${path} can be used by everyone, in light and dark, and fits a narrow phone`, async ({
    page,
    isMobile,
    expectAccessible,
  }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      await page.waitForLoadState('networkidle');
      await expectAccessible();
    }
    if (!isMobile) return;
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 780 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test(`${path} tells search engines and those who share it what it is`, async ({ page }) => {
    await page.goto(path);
    const content = (selector: string) => page.locator(`head ${selector}`).getAttribute('content');
    await expect(page.locator('head link[rel=canonical]')).toHaveCount(1);
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
  });
}

test('the site map names every page to read, and the robots file names the site map', async ({ request }) => {
  const map = await (await request.get('/sitemap.xml')).text();
  const listed = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
  expect(listed.toSorted()).toEqual(paths.toSorted());
  expect(await (await request.get('/robots.txt')).text()).toMatch(/^Sitemap: https?:\/\/\S+\/sitemap\.xml$/m);
});

test('the footer leads where it says and warns of the risk', async ({ page }) => {
  await page.goto('/aboutus');
  const columns = {
    Account: { Signup: '/signup', Login: '/login' },
    Community: { Home: '/', Privacy: '/privacy' },
    Contact: { 'About Us': '/aboutus', 'Contact Us': '/contactus' },
  };
  for (const [title, links] of Object.entries(columns)) {
    const column = footer(page).getByRole('navigation', { name: title });
    await expect(column.getByRole('link')).toHaveText(Object.keys(links));
    for (const [name, to] of Object.entries(links)) {
      await expect(column.getByRole('link', { name })).toHaveAttribute('href', to);
    }
  }
  await expect(footer(page)).toContainText('you can lose money, including all of it');
});

test('the header marks the page that is open', async ({ page, isMobile }) => {
  await page.goto('/aboutus');
  if (isMobile) await page.locator('header').getByRole('button', { name: 'Menu' }).click();
  const current = page.locator('header [aria-current=page]').filter({ visible: true });
  await expect(current).toHaveText(['About Us']);
});

test('About tells the mission, the forte and who leads, and goes on with the shared parts', async ({
  page,
}) => {
  await page.goto('/aboutus');
  for (const name of [
    'Our mission',
    'Our forte',
    'Leadership',
    'Users come first',
    'Asked most often',
    'From the blog',
  ]) {
    await expect(main(page).getByRole('heading', { name, exact: true })).toBeVisible();
  }
  const people = main(page).locator('section', { hasText: 'Leadership' }).getByRole('article');
  await expect(people).toHaveCount(3);
  for (const person of await people.all()) {
    await expect(person.getByRole('img')).toBeVisible();
    await expect(person.getByRole('heading', { level: 3 })).toHaveText(/\S/);
    await expect(person.getByText('Sample profile')).toBeVisible();
  }
  await expect(main(page).getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/signup');
  await main(page).getByRole('link', { name: 'How we handle your data' }).click();
  await expect(page).toHaveURL('/privacy');
});

test('the blog lists its posts, newest first, and each can be read', async ({ page }) => {
  await page.goto('/blog');
  const titles = Object.values(posts);
  await expect(main(page).getByRole('article').getByRole('heading')).toHaveText(titles);
  for (const [path, title] of Object.entries(posts)) {
    await page.goto('/blog');
    await main(page)
      .getByRole('link', { name: `Read More: ${title}` })
      .click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(main(page)).toHaveText(/.{1200}/s);
  }
  await main(page).getByRole('link', { name: 'Blog', exact: true }).click();
  await expect(page).toHaveURL('/blog');
});

test('a post that does not exist is a page that was not found', async ({ page, complaints }) => {
  complaints.announceStatus(404);
  expect((await page.goto('/blog/no-such-post'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expect(page).toHaveTitle('Page not found | Tallystick');
});

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false });

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

  for (const path of paths) {
    test(`the words of ${path} can be read`, async ({ page }) => {
      await page.goto(path);
      for (const expected of words[path] ?? []) {
        await expect(main(page)).toContainText(expected, { useInnerText: true });
      }
      expect(words[path]).toBeDefined();
    });
  }
});
