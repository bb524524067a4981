import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { posts } from '../../looking/posts.ts';

const main = (page: Page) => page.getByRole('main');
const footer = (page: Page) => page.getByRole('contentinfo');

test('the footer leads where it says and warns of the risk', async ({ page }) => {
  await page.goto('/aboutus');
  await expect(footer(page)).toContainText('you can lose money, including all of it');
  const columns = {
    Account: { Signup: '/signup', Login: '/login' },
    Community: { Home: '/', Privacy: '/privacy' },
    Contact: { 'About Us': '/aboutus', 'Contact Us': '/contactus' },
  };
  for (const [title, links] of Object.entries(columns)) {
    const column = footer(page).getByRole('navigation', { name: title });
    await expect(column.getByRole('link')).toHaveText(Object.keys(links));
    for (const [name, to] of Object.entries(links)) {
      await column.getByRole('link', { name }).click();
      await expect(page).toHaveURL(to);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // The page it leads to shows from its top.
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      if (to !== '/aboutus') await page.goBack();
      await expect(page).toHaveURL('/aboutus');
    }
  }
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
  await expect(main(page).getByRole('article').getByRole('heading')).toHaveText(Object.values(posts));
  for (const [path, title] of Object.entries(posts)) {
    await main(page)
      .getByRole('link', { name: `Read More: ${title}` })
      .click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(main(page)).toHaveText(/.{1200}/s);
    await main(page).getByRole('link', { name: 'Blog', exact: true }).click();
    await expect(page).toHaveURL('/blog');
  }
});
