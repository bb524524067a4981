import type { ElementHandle, Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';

interface Stop {
  name: string;
  /** Something drawn around it tells where the focus is. */
  marked: boolean;
}

interface Look {
  tag: string;
  name: string;
  mark: string;
}

function look(handle: ElementHandle<Element>): Promise<Look> {
  return handle.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    const name = label ?? element.getAttribute('aria-label') ?? element.textContent;
    const outline = outlineStyle === 'none' ? 'none' : outlineWidth;
    return { tag: element.tagName, name: name.trim(), mark: `${outline} ${boxShadow}` };
  });
}

/** Walks through the page with Tab until the focus leaves it. */
async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    const handle = await page.evaluateHandle(() => document.activeElement ?? document.body);
    const focused = await look(handle);
    if (focused.tag === 'BODY') return stops;
    await handle.evaluate((element) => (element as HTMLElement).blur());
    const blurred = await look(handle);
    await handle.evaluate((element) => (element as HTMLElement).focus());
    stops.push({ name: focused.name, marked: focused.mark !== blurred.mark });
  }
  throw new Error('the focus never left the page');
}

for (const [path, inOrder] of [
  ['/', ['Skip to content', 'Get Started', 'Signup', 'Login']],
  ['/login', ['Skip to content', 'Tallystick', 'Email', 'Password', 'Login', 'Sign Up']],
  ['/signup', ['Skip to content', 'Full name', 'Email', 'Password', 'Get Started', 'Log In']],
] as const) {
  test(`Tab reaches everything on ${path} in reading order and shows where it is`, async ({ page }) => {
    await page.goto(path);
    const stops = await tabThrough(page);
    const names = stops.map(({ name }) => name);
    expect(names[0]).toBe('Skip to content');
    let from = 0;
    for (const name of inOrder) {
      const at = names.indexOf(name, from);
      expect(at, `${name} in ${names.slice(from).join(', ')}`).toBeGreaterThanOrEqual(from);
      from = at + 1;
    }
    expect(stops.filter(({ marked }) => !marked)).toEqual([]);
    const reachable = page.locator('a[href], button, input').filter({ visible: true });
    expect(stops).toHaveLength(await reachable.count());
  });
}

test('the skip link shows itself when focused and leads past the header', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  expect((await skip.boundingBox())?.height).toBeGreaterThan(24);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Started' }).first()).toBeFocused();
});

test('a form can be filled in and sent with the keyboard alone', async ({ page, people }) => {
  const person = await people.verified();
  await page.goto('/login');
  await page.getByLabel('Email').focus();
  await page.keyboard.type(person.email);
  const password = page.getByLabel('Password', { exact: true });
  while (!(await password.evaluate((field) => field === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('main')).toBeFocused();
});
