import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { newEmail } from '../../people/people.ts';
import { fillLogin, openWithoutScripts } from '../../people/screens.ts';

/** The page as the build has drawn it, and how its scripts are let go. */
async function openDrawn(page: Page, path: string): Promise<() => void> {
  const release = await openWithoutScripts(page, path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return release;
}

for (const how of ['Enter', 'the button'] as const) {
  test(`a login sent by ${how} before the scripts are there waits for them and then goes through`, async ({
    page,
    people,
  }) => {
    const person = await people.verified();
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    const posted: string[] = [];
    page.on(
      'request',
      (request) => request.method() === 'POST' && posted.push(new URL(request.url()).pathname),
    );

    const release = await openDrawn(page, '/login');
    await fillLogin(page, person);
    if (how === 'Enter') await page.getByLabel('Password', { exact: true }).press('Enter');
    else await page.getByRole('button', { name: 'Login' }).click({ noWaitAfter: true });
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password);
    // The button says that it was heard.
    await expect(page.getByRole('button', { name: 'Login' })).toHaveAttribute('aria-busy', 'true');
    expect(posted).toEqual([]);

    release();
    await expect(page).toHaveURL('/dashboard');
    expect(posted).toEqual(['/api/users/signin']);
    expect(visited.filter((url) => url.includes('?') || url.includes('example.com'))).toEqual([]);
  });
}

test('what is typed before the scripts are there is still there afterwards', async ({ page }) => {
  const release = await openDrawn(page, '/signup');
  const email = newEmail();
  await page.getByLabel('Full name').fill('Wren Hollis');
  await page.getByLabel('Email').fill(email);
  release();
  // Until the app has taken over, the browser's own checks hold.
  await expect(page.locator('form')).toHaveAttribute('novalidate');
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /Use at least 8 characters/,
  );
  await expect(page.getByLabel('Full name')).toHaveValue('Wren Hollis');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid', 'true');
});

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false });

  const forms = [
    { path: '/login', button: 'Login', fields: ['email', 'password'] },
    { path: '/signup', button: 'Get Started', fields: ['fullname', 'email', 'password'] },
    { path: '/forgotpass', button: 'Verify', fields: ['email'] },
  ];

  for (const { path, button, fields } of forms) {
    test(`the form of ${path} leaves no field in the address and says what it needs`, async ({ page }) => {
      await page.goto(path);
      for (const name of fields) await page.locator(`[name=${name}]`).fill('wren-1826@example.com');
      const again = page.waitForResponse((answer) => answer.request().method() === 'GET');
      await page.getByRole('button', { name: button }).click();
      expect((await again).url()).toBe(new URL(path, page.url()).href);
      await expect(page).toHaveURL(path);
      for (const name of fields) await expect(page.locator(`[name=${name}]`)).toHaveValue('');
      const note = page.locator('form noscript p');
      await expect(note).toBeVisible();
      await expect(note).toHaveText(/This form needs JavaScript/, { useInnerText: true });
    });
  }
});

test('a button that is pressed twice before the scripts are there is pressed once when they are', async ({
  page,
}) => {
  const release = await openDrawn(page, '/login');
  const show = page.getByRole('button', { name: 'Show what is typed' });
  await show.click();
  // Nothing has happened, so it is pressed again.
  await show.click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
  release();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
});

/** The first file of each page: one that is only read has some that come later, the other the app. */
const firstFiles = { '/': '**/assets/later-*.js', '/contactus': '**/assets/begin-*.js' };

for (const [path, firstFile] of Object.entries(firstFiles)) {
  test(`the menu of ${path} opens at once, before any file of scripts is there, and stays open when they are`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const release = await openDrawn(page, path);
    const menu = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(menu).toBeVisible();
    const arrival = page.waitForResponse(firstFile);
    release();
    await arrival;
    await page.evaluate(waitForScripts);
    await expect(page.getByRole('button', { name: 'Menu' })).toHaveAttribute('aria-expanded', 'true');
    await expect(menu).toBeVisible();
  });
}

test('the phone’s menu hears what React keeps from whoever listens below it while it takes a page over', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/contactus');
  await page.evaluate(() => {
    for (const pressed of ['click', 'keydown'])
      document.addEventListener(pressed, (event) => event.stopPropagation(), true);
  });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

/** Runs in the page. A module that was asked for already is not begun again: this waits until it has run. */
async function waitForScripts(): Promise<void> {
  for (const { text } of document.scripts) {
    for (const [, address = ''] of text.matchAll(/import\("(\/assets\/[^"]+)"\)/g)) await import(address);
  }
  while ('releaseHeld' in window) await new Promise(requestAnimationFrame);
}
