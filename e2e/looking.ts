import { expect, type Page } from '@playwright/test';

/** The two looks of the fixtures. */
export interface Looks {
  expectAccessible(page: Page): Promise<void>;
  expectReadable(page: Page): Promise<void>;
}

/** Sizes differ in what stands where, themes in colours alone: light is looked at on the phone, dark on the desktop. */
export const themeOf = (isMobile: boolean) => (isMobile ? 'light' : 'dark');

/** Everything that can be found in light, and the colours again in dark. */
export async function lookInBothThemes(
  page: Page,
  { expectAccessible, expectReadable }: Looks,
): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectReadable(page);
}

/** Goes on to another screen as the browser's Back and Forward do, without loading the app anew. */
export async function goOnTo(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** At the width of the narrowest phone that is promised; what else has to hold there can be said. */
export async function expectNoSidewaysScroll(page: Page, hold = async () => {}): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 780 });
  await hold();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  if (size) await page.setViewportSize(size);
}
