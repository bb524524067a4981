import { expect, type Page } from '@playwright/test';

/**
 * An installed clock goes on by itself, and a look waits for up to a minute: what is to be over after some seconds could be
 * over much later. Here only the time counts that a test moves. The clock stops that much ahead; where a busy machine hears
 * of it too late, it is told again.
 */
export async function stopClock(page: Page, aheadMs = 1_000): Promise<void> {
  await expect(async () => {
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs);
  }).toPass();
}

/** What holds when so much time has passed in the browser and no more, however long the look at it takes. */
export async function expectAfter(page: Page, passedMs: number, hold: () => Promise<void>): Promise<void> {
  const aheadMs = 3_000;
  await stopClock(page, aheadMs);
  // Step by step: what ends may take a moment more to be gone, and that moment has to begin where it would.
  await page.clock.runFor(passedMs - aheadMs);
  await hold();
  await page.clock.resume();
}
