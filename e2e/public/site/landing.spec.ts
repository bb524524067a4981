import type { Locator, Page, Route } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';

const main = (page: Page) => page.getByRole('main');
const ticker = (page: Page) => page.getByRole('group', { name: /Prices in USD/ });
const pauseButton = (page: Page) => ticker(page).getByRole('button', { name: 'Pause the ticker' });

async function isMoving(page: Page): Promise<boolean> {
  const row = ticker(page).locator('ul');
  const place = () => row.evaluate((element) => getComputedStyle(element).transform);
  const before = await place();
  await page.waitForTimeout(150);
  return before !== (await place());
}

async function expectLeads(page: Page, link: Locator, to: string) {
  await expect(link).toHaveAttribute('href', to);
  await link.click();
  await expect(page).toHaveURL(to);
}

test('the hero, the plan cards and the second call say what they offer and lead to the sign-up', async ({
  page,
  isMobile,
}) => {
  await page.goto('/');
  const banner = page.getByRole('img', { name: /tally sticks/ });
  if (isMobile) await expect(banner).toBeHidden();
  else await expect(banner).toBeVisible();
  await expectLeads(page, main(page).getByRole('link', { name: 'Get Started' }).first(), '/signup');
  await page.goBack();
  await main(page).getByRole('link', { name: 'See the plans' }).click();
  await expect(page).toHaveURL('/#plans');
  await expect(page.getByRole('heading', { name: 'Investment plans' })).toBeInViewport();

  const cards = page.locator('#plans article');
  await expect(cards).toHaveCount(3);
  await expect(cards.first()).toContainText(
    /Starter\s*\$100 – \$1,999\s*Duration\s*30 days\s*ROI for the term\s*0\.8%\s*\$1,000 becomes\s*\$1,008\.00/,
  );
  await expect(cards.nth(1)).toContainText('$5,095.00');
  await expect(cards.nth(2)).toContainText('$10,320.00');
  await expect(cards.getByText('You can lose money, including all of it. No return is certain.')).toHaveCount(
    3,
  );
  for (const [index, notches] of [3, 6, 9].entries()) {
    await expect(cards.nth(index).getByRole('img')).toHaveAccessibleName(
      `A stick with ${notches} notches, ${notches * 10} days`,
    );
  }
  await expectLeads(page, cards.nth(1).getByRole('link', { name: 'Get Started' }), '/signup');
  await page.goBack();
  const panel = main(page).locator('section', { hasText: 'Start with an amount you can afford' });
  await expectLeads(page, panel.getByRole('link', { name: 'Get Started' }), '/signup');
});

test('plans that cannot be loaded or read are logged, said quietly and can be asked for again', async ({
  page,
  complaints,
}) => {
  complaints.announce(/Error fetching investment plans:/, /ERR_FAILED/);
  const plans = '**/api/investment/fetchallinvestmentmethod';
  await page.route(plans, (route) => route.abort());
  await page.goto('/');
  const failed = page.getByText('The plans could not be loaded.');
  await expect(failed).toBeVisible();
  // An answer of a shape that no version of the server ever gave.
  await page.route(plans, (route) => route.fulfill({ json: { data: 5 } }));
  const logged = page.waitForEvent('console', (message) =>
    message.text().startsWith('Error fetching investment plans:'),
  );
  await page.getByRole('button', { name: 'Retry' }).click();
  await logged;
  await expect(failed).toBeVisible();
  await page.unroute(plans);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator('#plans article')).toHaveCount(3);
});

test('with no plan open it says so, and a plan whose days are no tens does without the line about notches', async ({
  page,
}) => {
  const answer = (data: object[]) => (route: Route) => route.fulfill({ json: { data } });
  const plans = '**/api/investment/fetchallinvestmentmethod';
  await page.route(plans, answer([]));
  await page.goto('/');
  await expect(page.getByText('No plan is open at the moment.')).toBeVisible();
  await expect(page.getByText('Each notch is ten days.')).toBeVisible();

  const odd = { _id: '1', planname: 'Odd', from: 100, to: 1999.5, duration: 7, roi: 1.234 };
  await page.route(plans, answer([odd]));
  await page.reload();
  const card = page.locator('#plans article');
  await expect(card).toHaveText(/Odd\s*\$100 – \$1,999\.50\s*Duration\s*7 days\s*ROI for the term\s*1\.234%/);
  await expect(card).not.toContainText('becomes');
  await expect(card.getByRole('img')).toHaveAccessibleName('A stick with 1 notch, 7 days');
  await expect(page.getByText('Each notch is ten days.')).toBeHidden();
});

test('one answer is open at a time, by mouse, touch and keyboard; the teaser leads to the blog', async ({
  page,
  isMobile,
}) => {
  await page.goto('/');
  const questions = main(page).getByRole('button', { name: /\?$/ });
  await expect(questions).toHaveCount(3);
  const expectOpen = async (open: number | null) => {
    for (const index of [0, 1, 2]) {
      await expect(questions.nth(index)).toHaveAttribute('aria-expanded', String(index === open));
    }
    await expect(main(page).getByRole('region', { name: /\?$/ })).toHaveCount(open === null ? 0 : 1);
  };
  await expectOpen(0);
  if (isMobile) await questions.nth(1).tap();
  else await questions.nth(1).click();
  await expectOpen(1);
  await expect(page.getByText('A withdrawal has no fee, and nobody may ask you')).toBeVisible();
  await questions.nth(1).click();
  await expectOpen(null);
  await questions.nth(2).focus();
  await page.keyboard.press('Enter');
  await expectOpen(2);
  await page.keyboard.press('Space');
  await expectOpen(null);

  const teaser = main(page).locator('section', { hasText: 'From the blog' });
  const title = teaser.getByRole('link', { name: 'How to check your balance yourself' });
  await expectLeads(page, title, '/blog/how-to-check-your-balance');
  await page.goBack();
  await expectLeads(page, teaser.getByRole('link', { name: 'Read More' }), '/blog');
});

test('sample prices say what they are, move by themselves and stand still while hovered, focused or paused', async ({
  page,
  isMobile,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await expect(page.getByText('Sample prices. The price service could not be reached.')).toBeVisible();
  await expect(ticker(page)).toContainText('Sample prices');
  await expect(ticker(page)).toBeVisible();
  const shown = ticker(page).getByRole('listitem');
  await expect(shown).toHaveText([/Bitcoin.*\$68,412\.50/, /Ethereum/, /BnB/, /Ripple.*\$0\.5874/]);
  expect(await isMoving(page)).toBe(true);

  if (isMobile) {
    await pauseButton(page).tap();
    await expect(pauseButton(page)).toHaveAttribute('aria-pressed', 'true');
    expect(await isMoving(page)).toBe(false);
    await pauseButton(page).tap();
    expect(await isMoving(page)).toBe(true);
    return;
  }
  await ticker(page).hover();
  expect(await isMoving(page)).toBe(false);
  await page.mouse.move(600, 600);
  expect(await isMoving(page)).toBe(true);
  await pauseButton(page).click();
  await page.mouse.move(600, 600);
  expect(await isMoving(page)).toBe(false);
  await pauseButton(page).click();
  await page.mouse.move(600, 600);
  expect(await isMoving(page)).toBe(true);
  await page.getByRole('link', { name: 'Sign Up' }).focus();
  await page.keyboard.press('Tab');
  await expect(pauseButton(page)).toBeFocused();
  expect(await isMoving(page)).toBe(false);
});

test.describe('with less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the ticker is a row that stands still, without copies and without a button', async ({ page }) => {
    await page.goto('/');
    await expect(ticker(page)).toBeVisible();
    expect(await isMoving(page)).toBe(false);
    await expect(ticker(page).locator('li').filter({ visible: true })).toHaveCount(4);
    await expect(ticker(page).getByRole('button')).toHaveCount(0);
  });
});

test('nothing moves while the page fills itself', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await expect(ticker(page)).toBeVisible();
  await expect(page.locator('#plans article')).toHaveCount(3);
  // What comes last.
  await expect(page.getByText('Line and arrow: Bitcoin over 30 days.')).toBeVisible();
  const sum = await page.evaluate(async () => {
    await document.fonts.ready;
    // What the last frame moved is told after it.
    for (let frames = 0; frames < 2; frames += 1)
      await new Promise<void>((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    return (window as unknown as { shifts: { sum: number } }).shifts.sum;
  });
  expect(sum).toBeLessThan(0.02);
});

test('the scripts of a page of the app are fetched once it is drawn', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  // Nothing is drawn until the test says so.
  await page.addInitScript(() => {
    const waiting: FrameRequestCallback[] = [];
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    Object.assign(window, { drawNow: () => waiting.splice(0).map(draw) });
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await page.waitForLoadState();
  expect(scripts).toEqual([]);
  await page.evaluate(() => (window as unknown as { drawNow(): void }).drawNow());
  await expect.poll(() => scripts.filter((url) => url.includes('/framework-')).length).toBe(1);
});
