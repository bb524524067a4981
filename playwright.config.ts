import { defineConfig, devices } from '@playwright/test';
import { chromiumPath } from './tools/chromium.ts';
import { quickFolder } from './tools/quick-folder.ts';
import { everydayJourneys, isEveryday, passedOver } from './tools/test-size.ts';

process.env.TMPDIR = quickFolder();

/** Those of every day in `npm test`, else all. */
const journeys = (size: keyof typeof everydayJourneys) =>
  isEveryday ? everydayJourneys[size].map((name) => `**/${name}.spec.ts`) : '**/*.spec.ts';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/servers/prepare.ts',
  outputDir: 'test-results',
  // Each has a server, a database and a browser, so that two keep two cores busy.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A busy machine is no failure: what is right arrives long before. These end only what stands still.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    // A trace records every step of every test and doubles the time; ask for one with `--trace on`.
    trace: 'off',
    // What moves without end is drawn without end, here without a graphics card; tests of motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // Tests stand between a page and the server; the one about the worker asks for it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        // Chromium's own sandbox does not work as root, and the only pages it opens are ours.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    {
      name: 'phone',
      testMatch: journeys('phone'),
      testIgnore: passedOver.phone,
      grepInvert: /@any-size/,
      use: {
        ...devices['Pixel 7'],
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        // Finer pixels change nothing that is tested and are drawn without a graphics card.
        deviceScaleFactor: 1,
      },
    },
    {
      name: 'desktop',
      testMatch: journeys('desktop'),
      testIgnore: passedOver.desktop,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
  ],
});
