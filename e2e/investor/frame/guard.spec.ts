import type { Page } from '@playwright/test';
import { investorPaths } from '@tallystick/contract/site';
import { expect, test } from '../../fixtures.ts';
import { stopClock } from '../../looking/clock.ts';
import { openDashboard, waitForNews } from '../../people/money-forms.ts';
import { logIn, logOut, stored, storedSession } from '../../people/screens.ts';

test('without stored user data every screen of the investor’s area leads to the landing page', async ({
  page,
}) => {
  for (const path of investorPaths) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Crypto Tokens');
  }
});

test('stored user data that cannot be read counts as none', async ({ page }) => {
  await page.goto('/');
  for (const text of ['', 'null', '{', '[]', '{"token":7}']) {
    await page.evaluate((value) => localStorage.setItem('userdata', value), text);
    await page.goto('/dashboard');
    await expect(page, text).toHaveURL('/');
  }
});

test('a session that ended on the server leads to the sign-in, and from there back to the same screen', async ({
  page,
  people,
  complaints,
}) => {
  const person = await people.verified();
  const where = '/transaction?search=hazel';
  await page.goto('/login');
  await logIn(page, person);
  await expect(page).toHaveURL('/dashboard');
  await page.goto(where);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  const session = await storedSession(page);
  // A screen that is open asks again by itself; here the one that is opened next is to find out.
  await page.goto('about:blank');
  await people.signOut(session);
  complaints.announceStatus(401);
  const refused = countRefusals(page);
  await page.goto(where);
  await expect(page).toHaveURL(`/login?${new URLSearchParams({ next: where })}`);
  expect(await stored(page, 'userdata')).toBeNull();
  await expect(page.getByRole('status')).toHaveText(/^Your session has ended\./);
  expect(refused()).toBe(1);

  await logIn(page, person);
  await expect(page).toHaveURL(where);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('whoever signs in in another tab finds nothing of the one before them on the screen', async ({
  page,
  context,
  server,
  wallets,
}) => {
  await openDashboard(page, await wallets.owner({ fullname: 'Wren Hollis' }), server.url);
  const { session } = await wallets.owner({ fullname: 'Juniper Vale' });
  const tab = await context.newPage();
  await tab.goto('/aboutus');
  await tab.evaluate((value) => localStorage.setItem('userdata', value), JSON.stringify(session));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Juniper Vale');
  await expect(page.getByRole('main')).toHaveCount(1);
  await expect(page.getByText('Wren Hollis')).toHaveCount(0);
});

test('a screen whose session ended elsewhere asks once and then never again', async ({
  page,
  server,
  people,
  wallets,
  complaints,
}) => {
  const owner = await wallets.owner();
  await openDashboard(page, owner, server.url);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  // Nobody waits longer than a second for the question ahead, however slow the machine: here that second does not pass.
  await stopClock(page);
  await people.signOut(owner.session);

  complaints.announceStatus(401);
  const refused = countRefusals(page);
  await waitForNews(page);
  await expect(page).toHaveURL('/login?next=%2Fdashboard');
  await expect(page.getByRole('status')).toHaveText(/^Your session has ended\./);
  for (let rounds = 0; rounds < 3; rounds += 1) await waitForNews(page);
  // Whatever was asked before is answered by now.
  await page.request.get('/readyz');
  expect(refused()).toBe(1);
});

/** How many answers said no since then: each is a line in the browser's console. */
function countRefusals(page: Page): () => number {
  let count = 0;
  page.on('response', (answer) => {
    if (answer.status() === 401) count += 1;
  });
  return () => count;
}

test('signing out in one tab signs out the other', async ({ page, context, people }) => {
  await page.goto('/login');
  await logIn(page, await people.verified());
  await expect(page).toHaveURL('/dashboard');
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await logOut(page);
  await expect(page).toHaveURL('/');
  await expect(other).toHaveURL('/');
});

test('the way back of a sign-in never leads to another site', async ({ page, people }) => {
  const person = await people.verified();
  for (const lure of ['//evil.example', 'https%3A%2F%2Fevil.example%2Fdashboard', '/%5Cevil.example']) {
    await page.goto(`/login?next=${lure}`);
    await logIn(page, person);
    await expect(page, lure).toHaveURL('/dashboard');
  }
});
