import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import type Axe from 'axe-core';
import type { RunOnly } from 'axe-core';
import { type Complaints, collectComplaints } from './looking/complaints.ts';
import { type Mailbox, openMailbox } from './people/mailbox.ts';
import { createOperators, type Operators } from './people/operators.ts';
import { createPeople, newAddress, type People } from './people/people.ts';
import { createWallets, type Wallets } from './people/wallets.ts';
import { startServer, type TallystickServer } from './servers/server.ts';

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every rule of WCAG 2.2 AA that can be found by looking at a page. */
const accessibilityRules: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};

/** The rules whose verdict a theme can change. */
const colourRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

async function expectNoViolation(page: Page, runOnly: RunOnly): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript);
  const found = await page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    // What stands behind a dialog can be neither used nor heard, and was looked at before it opened.
    const dialogs = [...document.querySelectorAll('[role=dialog]')].filter(
      (one) => one.checkVisibility() && !one.closest('[aria-hidden=true]'),
    );
    const shown = dialogs.length > 0 ? { include: dialogs } : document;
    // Whatever else the rules could tell is not asked for: it takes as long again.
    const options = { runOnly: rules, resultTypes: ['violations' as const], preload: false };
    const { violations } = await axe.run(shown, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
  }, runOnly);
  expect(found).toEqual([]);
}

/**
 * A prerendered page is there before the app that answers to it. A person notices nothing, because what is pressed
 * meanwhile is held; a test that opens a page waits for the app, unless it says that it wants to be earlier.
 *
 * So does one that goes back: an app that starts renames its entry of the history, Playwright takes that for the page
 * it went back to, and a browser whose context is closed while the real one is on its way may never answer again.
 */
function waitingForApp(page: Page): Page {
  const appIsThere = () => page.waitForFunction(() => !('releaseHeld' in window));
  const goto = page.goto.bind(page);
  const goBack = page.goBack.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (options?.waitUntil !== 'commit') await appIsThere();
    return answer;
  };
  page.goBack = async (options) => {
    await appIsThere();
    return goBack(options);
  };
  return page;
}

/**
 * The machine gave the database no time for ten seconds. The server then rightly asks to come back, and whether its screens
 * recover is seen by the journey itself. A leak of connections says the same, but does not stop at that.
 */
const stoodStill = /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;
const standstillsMax = 2;
let standstills = 0;

interface TestFixtures {
  complaints: Complaints;
  mailbox: Mailbox;
  people: People;
  wallets: Wallets;
  /** A browser that shares nothing with the test's own: another person's, or the same person's other device. */
  openBrowser(options?: BrowserContextOptions): Promise<Page>;
  /** The console in the browser of one of the demo's operators, who is signed in already. */
  openConsole(who: 'first' | 'second', path?: string): Promise<Page>;
  /** Fails on every violation of WCAG 2.2 AA that can be found by looking at the page. */
  expectAccessible(page?: Page): Promise<void>;
  /** The same page in the other theme: only its colours are looked at again. */
  expectReadable(page?: Page): Promise<void>;
}

interface WorkerFixtures {
  server: TallystickServer;
  operators: Operators;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    async ({ browserName: _ }, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  operators: [
    ({ server, playwright }, use) =>
      use(createOperators({ siteUrl: server.url, request: playwright.request })),
    { scope: 'worker' },
  ],

  baseURL: ({ server }, use) => use(server.url),

  extraHTTPHeaders: ({ baseURL: _ }, use) => use({ 'x-forwarded-for': newAddress() }),

  complaints: [
    async ({ server, baseURL }, use) => {
      const complaints = collectComplaints(baseURL ?? server.url);
      await use(complaints);
      // With what it logged before the test: in the background it is at work all the time.
      const errors = server.takeErrors();
      if (errors.some((text) => stoodStill.test(text)) && ++standstills <= standstillsMax)
        complaints.tolerate(stoodStill, /status of 503 /, /The server is busy/);
      for (const text of errors) complaints.add(`server: ${text}`);
      complaints.settle();
    },
    { auto: true },
  ],

  context: async ({ context, complaints }, use) => {
    await complaints.watch(context);
    await use(context);
  },

  page: ({ page }, use) => use(waitingForApp(page)),

  mailbox: ({ server }, use) => use(openMailbox(server.url)),

  people: ({ server, mailbox }, use) => use(createPeople({ siteUrl: server.url, mailbox })),

  wallets: ({ server, people, operators }, use) =>
    use(createWallets({ siteUrl: server.url, people, operators })),

  openBrowser: async ({ browser, complaints }, use) => {
    const opened: Page[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({
        extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
        ...options,
      });
      await complaints.watch(context);
      const page = waitingForApp(await context.newPage());
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },

  openConsole: async ({ openBrowser, operators }, use) => {
    await use(async (who, path = '/operator') => {
      const { state: storageState } = await operators[who]();
      const page = await openBrowser({ storageState });
      // So that the next question to the server can be brought about at once.
      await page.clock.install();
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      return page;
    });
  },

  expectAccessible: async ({ page }, use) => {
    await use((shown = page) => expectNoViolation(shown, accessibilityRules));
  },

  expectReadable: async ({ page }, use) => {
    await use((shown = page) => expectNoViolation(shown, colourRules));
  },
});

export { expect };
