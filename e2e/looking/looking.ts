import { expect, type Page } from '@playwright/test';

/** The two looks of the fixtures. */
export interface Looks {
  expectAccessible(page: Page): Promise<void>;
  expectReadable(page: Page): Promise<void>;
}

/** For a test in which the size of the screen changes nothing, in a file whose others it changes: only the desktop has it. */
export const anySize = { tag: '@any-size' };

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

/**
 * Goes on when the page is drawn at its new size: three times a journey stood still for good behind two changes of it in a row,
 * because Chromium drew no frame any more. A picture of one pixel asks for one.
 */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
}

/** At the width of the narrowest phone that is promised; what else has to hold there can be said. */
export async function expectNoSidewaysScroll(page: Page, hold = async () => {}): Promise<void> {
  const size = page.viewportSize();
  await resize(page, { width: 360, height: 780 });
  await hold();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  if (size) await resize(page, size);
}

/** Between a phone and a desktop, where a table has its narrowest cards. */
const tabletWidths = [768, 820, 912, 1024] as const;

/** Nothing of a list lies beyond the card that it stands in, and nothing has to be scrolled sideways to. */
export async function expectListsInSight(page: Page): Promise<void> {
  const size = page.viewportSize();
  for (const width of tabletWidths) {
    await resize(page, { width, height: 900 });
    await expect(page.locator('main').getByRole('row').nth(1)).toBeVisible();
    // A list that is being drawn anew is looked at again.
    await expect.poll(() => page.evaluate(outOfSight), { message: `at ${width} px` }).toEqual([]);
  }
  if (size) await resize(page, size);
}

/** Runs in the page. */
function outOfSight(): string[] {
  const found: string[] = [];
  const isShown = (element: Element) => element.checkVisibility() && !element.closest('.sr-only');
  for (const table of document.querySelectorAll('main table')) {
    const card = table.closest('section')?.getBoundingClientRect();
    if (!card || !isShown(table)) continue;
    for (const part of table.querySelectorAll('th, td, :is(th, td) *')) {
      const { left, right, width } = part.getBoundingClientRect();
      if (width === 0 || !isShown(part)) continue;
      if (left < card.left - 1 || right > card.right + 1) found.push(`outside: ${part.textContent}`);
    }
    for (let box = table.parentElement; box; box = box.parentElement) {
      if (box.scrollWidth > box.clientWidth + 1) found.push(`scrolls: ${box.tagName} ${box.className}`);
    }
  }
  return [...new Set(found)];
}
