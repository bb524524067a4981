import { expect, type Locator, type Page } from '@playwright/test';
import type { Session } from '@tallystick/contract/users';
import type { Person } from './people.ts';

/** What people do on the forms that several journeys pass through. */
export async function fillLogin(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

export async function logIn(page: Page, person: Pick<Person, 'email' | 'password'>) {
  await fillLogin(page, person);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** On a small screen Logout stands in the menu. */
export async function logOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  const logout = page.getByRole('button', { name: 'Logout' });
  await expect(menu.or(logout).first()).toBeVisible();
  if (await menu.isVisible()) await menu.click();
  await logout.first().click();
}

/** Typed with the keyboard, digit by digit, as people do. */
export async function typeCode(page: Page, code: string) {
  await codeBox(page, 1).click();
  await page.keyboard.type(code);
}

export function codeBox(page: Page, at: number): Locator {
  return page.locator(`input[name=code${at}]`);
}

export async function fillNewPassword(page: Page, password: string, confirmation = password) {
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm New Password', { exact: true }).fill(confirmation);
}

export async function beginReset(page: Page, email: string) {
  await page.goto('/forgotpass');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL('/verifyforgotcode');
}

export async function showResetCode(page: Page, code: string) {
  await typeCode(page, code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

export async function choosePassword(page: Page, password: string) {
  await fillNewPassword(page, password);
  await page.getByRole('button', { name: 'Update Password' }).click();
}

/** A code that is not this one. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 10_000).padStart(4, '0');
}

export function stored(page: Page, key: 'userdata' | 'useridkey'): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

/** The session as the browser remembers it. */
export async function storedSession(page: Page): Promise<Session> {
  const text = await stored(page, 'userdata');
  if (text === null) throw new Error('nobody is signed in in this browser');
  return JSON.parse(text) as Session;
}

/** A device that knows its owner, as Chromium plays it. Answers how it is lost. */
export async function plugIn(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return async () => {
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
  };
}

/** Opens a page whose scripts are on their way for as long as the test wants; gives what lets them go. */
export async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return held.resolve;
}
