import { createServer } from 'node:http';
import type { CDPSession, Page } from '@playwright/test';
import { summary } from '@tallystick/contract/ledger';
import { siteMap } from '@tallystick/contract/site';
import { chromiumPath } from '../../../tools/chromium.ts';
import { expect, test } from '../../fixtures.ts';
import { unreachable } from '../../looking/complaints.ts';
import { anySize } from '../../looking/looking.ts';
import { goOffline } from '../../looking/offline.ts';
import {
  balanceCard,
  choose,
  closeSuccess,
  expectSums,
  openForm,
  openWith,
} from '../../people/money-forms.ts';
import { logOut } from '../../people/screens.ts';
import { newBitcoinAddress } from '../../people/wallets.ts';

test.use({ serviceWorkers: 'allow' });

/** What the app does by itself a few seconds after it is there: the worker keeps the shell and answers for this page. */
async function waitForWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Everything that any cache of this browser has an answer for. */
const cached = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url, method } of await (await caches.open(name)).keys()) {
        found.push(`${method} ${new URL(url).pathname}`);
      }
    }
    return found;
  });

const keptFigures = (page: Page) => page.evaluate(() => localStorage.getItem('figures'));
const notice = (page: Page) => page.locator('#no-connection');

/** Every other screen is drawn, by its link or its address, and says what it lacks. */
async function expectOtherScreens(page: Page): Promise<void> {
  const asOf = /[Aa]s of \d+ \w+, \d\d:\d\d UTC/;
  for (const path of Object.keys(siteMap.investor).filter((one) => one !== '/dashboard')) {
    await page.goto(path);
    const showsSome = /(transaction|investment)$/.test(path);
    await expect(notice(page), path).toContainText(showsSome ? asOf : 'This screen needs the connection');
    if (path === '/transaction') {
      await expect(page.getByText('$270.00', { exact: true }).first()).toBeVisible();
      // At the sum, and under the entries.
      await expect(page.getByText(/^As of \d+ \w+, \d\d:\d\d UTC/)).toHaveCount(2);
    }
    if (path === '/investment') {
      await expect(page.getByRole('region', { name: 'Sums' })).toContainText(asOf);
      await expect(page.getByRole('button', { name: 'Add Investment' })).toBeDisabled();
    }
  }
}

test('the dashboard opens offline with the last known figures and their time; nothing that moves money is kept', async ({
  page,
  server,
  wallets,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  const owner = await wallets.owner({ cents: 300_00n });
  await openWith(page, owner.session, server.url);
  await waitForWorker(page);
  // A money command, and every list that is asked for around it, with the worker in place.
  const dialog = await openForm(page, 'withdraw');
  await choose(page, dialog, 'Bitcoin');
  await dialog.getByLabel('Amount').fill('30');
  await dialog.getByLabel('Bitcoin address').fill(newBitcoinAddress());
  await dialog.locator('button[type=submit]').click();
  await closeSuccess(page, 'Withdrawal requested');
  await expectSums(page, { available: '$270.00', withdrawing: '$30.00', together: '$300.00' });
  await expect.poll(() => keptFigures(page)).toContain('270');
  for (const entry of await cached(page)) expect(entry).toMatch(/^GET \/(dashboard$|assets\/)/);

  complaints.tolerate(...unreachable);
  const goOnline = await goOffline(page);
  await page.reload();
  await expect(notice(page)).toContainText(
    /You are offline\. These are your figures as of \d+ \w+, \d\d:\d\d UTC\./,
  );
  await expectSums(page, { available: '$270.00', withdrawing: '$30.00', together: '$300.00' });
  await expect(balanceCard(page)).toContainText(/As of \d+ \w+, \d\d:\d\d UTC/);
  await expect(page.getByRole('region', { name: 'Recent activity' })).toContainText('$30.00');
  for (const name of [/^Fund/, /^Invest$/, /^Withdraw/]) {
    const button = balanceCard(page).getByRole('button', { name });
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription(/Money can be moved when the connection is back/);
  }
  await expect(page.getByText('Both halves match')).toHaveCount(0);
  // Drawn, where the browser still has what draws it, or said: its place is not empty.
  const chart = page.getByRole('region', { name: 'Bitcoin chart' });
  await expect(
    chart
      .locator('canvas')
      .or(chart.getByText(/could not be/))
      .first(),
  ).toBeVisible();
  await expectAccessible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectReadable();

  await expectOtherScreens(page);
  await page.goto('/profile');
  await notice(page).getByRole('link', { name: 'dashboard' }).click();
  await expect(balanceCard(page)).toContainText('$270.00');

  await goOnline();
  await expect(notice(page)).toBeEmpty();
  await expect(balanceCard(page)).toContainText('Available now.');
  await expect(balanceCard(page).getByRole('button', { name: /^Withdraw/ })).toBeEnabled();
});

test(
  'kept figures are gone with the session, however it ends, and another person sees none of them',
  anySize,
  async ({ page, server, wallets, people, complaints }) => {
    const [wren, ash] = [await wallets.owner({ cents: 120_00n }), await wallets.owner({ cents: 17_00n })];
    await openWith(page, wren.session, server.url);
    await waitForWorker(page);
    await expect.poll(() => keptFigures(page)).toContain('120');
    const other = await page.context().newPage();
    await other.goto('/dashboard');
    await expect(balanceCard(other)).toContainText('$120.00');
    await logOut(page);
    await expect(page).toHaveURL('/');
    await expect(other).toHaveURL('/');
    expect(await keptFigures(page)).toBeNull();
    await other.close();

    await openWith(page, ash.session, server.url);
    await waitForWorker(page);
    await expect.poll(() => keptFigures(page)).toContain(ash.person.userid);
    expect(await keptFigures(page)).not.toContain(wren.person.userid);
    complaints.announceStatus(401);
    await people.signOut(ash.session);
    await expect(page).toHaveURL(/\/login/);
    expect(await keptFigures(page)).toBeNull();
    for (const entry of await cached(page)) expect(entry).toMatch(/^GET \/(dashboard$|assets\/)/);

    // From the home screen, with nobody signed in and no connection to where the guard would lead.
    complaints.tolerate(...unreachable);
    const goOnline = await goOffline(page);
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await goOnline();
    await expect(page).toHaveURL('/');
  },
);

test(
  'when the server has ended the dashboard opens all the same, and goes on by itself when it is back',
  anySize,
  async ({ page, server, wallets, complaints }) => {
    await openWith(page, (await wallets.owner({ cents: 120_00n })).session, server.url);
    await waitForWorker(page);
    await expect.poll(() => keptFigures(page)).toContain(summary.path);
    complaints.tolerate(
      ...unreachable,
      /Failed to load resource/,
      /ApiRefusal: The server answered with an error/,
    );
    await server.end();
    try {
      await page.reload();
      await expect(notice(page)).toContainText('The server cannot be reached. These are your figures as of');
      await expect(balanceCard(page)).toContainText('$120.00');
      await expect(balanceCard(page).getByRole('button', { name: /^Invest$/ })).toBeDisabled();
      await standIn(new URL(server.url).port, async () => {
        await page.reload();
        await expect(notice(page)).toContainText(
          /something on the way answers in its place\. These are your figures as of/,
        );
        await expect(balanceCard(page)).toContainText('$120.00');
        await expect(page.getByText('Bad gateway')).toHaveCount(0);
        // A page that is only read has no part of this: what came is what is shown.
        await page.goto('/', { waitUntil: 'commit' });
        await expect(page.getByText('Bad gateway')).toBeVisible();
      });
      await page.goto('/dashboard');
    } finally {
      await server.begin();
    }
    await expect(notice(page)).toBeEmpty();
    await expect(balanceCard(page).getByRole('button', { name: /^Invest$/ })).toBeEnabled();
  },
);

/** What a proxy says whose server is gone. */
async function standIn(port: string, meanwhile: () => Promise<void>): Promise<void> {
  const proxy = createServer((_request, answer) => {
    answer.writeHead(502, { 'content-type': 'text/html', connection: 'close' }).end('<h1>Bad gateway</h1>');
  });
  await new Promise<void>((ready) => proxy.listen(Number(port), '127.0.0.1', ready));
  try {
    await meanwhile();
  } finally {
    proxy.closeAllConnections();
    await new Promise((closed) => proxy.close(closed));
  }
}

interface Manifest {
  start_url: string;
  icons: { src: string; sizes: string; purpose: string }[];
}

const findInstallabilityErrors = async (devtools: CDPSession) => {
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Every context of a test is incognito, and nothing that is installed outlives it.
  return installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito');
};

/** The shell without windows has nothing against any page, not even against a public one: its word is worth nothing. */
const whereTheBrowserCanSay = /headless[-_]shell/.test(chromiumPath()) ? test.skip : test;

whereTheBrowserCanSay(
  'a browser finds nothing that keeps the app from being installed',
  { tag: anySize.tag, annotation: { type: 'needs', description: 'a CHROMIUM_PATH that is not the shell' } },
  async ({ page, server, wallets }) => {
    const devtools = await page.context().newCDPSession(page);
    await page.goto('/');
    expect(await findInstallabilityErrors(devtools)).toContain('no-manifest');
    await openWith(page, (await wallets.owner()).session, server.url);
    await waitForWorker(page);
    expect(await findInstallabilityErrors(devtools)).toEqual([]);
  },
);

test(
  'the app has the manifest and the icons to be installed with and starts offline; public pages have no part of it',
  anySize,
  async ({ page, server, wallets, complaints }) => {
    const devtools = await page.context().newCDPSession(page);
    for (const path of ['/login', '/']) {
      await page.goto(path);
      await expect(page.locator('link[rel=manifest]')).toHaveCount(0);
      expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(
        0,
      );
    }
    await openWith(page, (await wallets.owner()).session, server.url);
    await waitForWorker(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data ?? '') as Manifest;
    expect(manifest).toMatchObject({
      name: 'Tallystick',
      short_name: 'Tallystick',
      id: '/dashboard',
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
    });
    expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 512x512',
    ]);
    const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
    for (const { src, sizes } of [...manifest.icons, { src: touch ?? '', sizes: '180x180' }]) {
      const size = await page.evaluate(async (address) => {
        const picture = await createImageBitmap(await (await fetch(address)).blob());
        return `${picture.width}x${picture.height}`;
      }, src);
      expect(size, src).toBe(sizes);
    }
    complaints.tolerate(...unreachable);
    await page.context().setOffline(true);
    const answer = await page.goto(manifest.start_url);
    expect([answer?.status(), answer?.fromServiceWorker()]).toEqual([200, true]);
  },
);
