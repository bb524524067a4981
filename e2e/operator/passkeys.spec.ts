import type { Page } from '@playwright/test';
import { totpAt } from '../../server/modules/users/factors/authenticator.ts';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../looking/looking.ts';
import { newEmail, type Person } from '../people/people.ts';
import { fillLogin, plugIn, typeCode } from '../people/screens.ts';

// Browsers make no passkey for a bare number.
test.use({ baseURL: ({ server }, use) => use(server.url.replace('127.0.0.1', 'localhost')) });

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

/** The first sign-in. Answers what the app shows now, and so many steps later. */
async function setUp(page: Page, operator: Pick<Person, 'email' | 'password'>) {
  await page.goto('/operator/login');
  await fillLogin(page, operator);
  await signInButton(page).click();
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
  const codeIn = (steps: number) => totpAt(secret, new Date(Date.now() + steps * 30_000));
  await typeCode(page, codeIn(0));
  await signInButton(page).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return codeIn;
}

test('an operator adds a passkey with a code, signs in with it after the password, and does without the app', async ({
  page,
  server,
  mailbox,
  complaints,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const operator = { email: newEmail(), name: 'Rowan Pike', password: 'three hands on one key' };
  await server.createOperator(operator);
  const lose = await plugIn(page);
  const codeIn = await setUp(page, operator);

  const openMenu = () =>
    page.getByRole('button', { name: isMobile ? 'Menu' : /^Rowan Pike/, exact: isMobile }).click();
  await openMenu();
  await page.getByRole('link', { name: 'Your account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Do without it' })).toBeDisabled();
  await lookInBothThemes(page, looks);

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  const used = codeIn(1);
  await typeCode(page, used);
  await lookInBothThemes(page, looks);
  await adding.getByRole('button', { name: 'Go on' }).click();
  await adding.getByLabel('Name').fill('Office key');
  await adding.getByRole('button', { name: 'Add it' }).click();
  const passkeys = page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
  await expect(passkeys).toContainText(['Office key']);
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);
  await mailbox.letter(operator.email, 'a passkey was added');

  await openMenu();
  await page.getByRole('button', { name: 'Log out' }).last().click();
  await expect(page).toHaveURL('/operator/login');
  await fillLogin(page, operator);
  await lookInBothThemes(page, looks);
  await page.getByRole('button', { name: 'Use a passkey, not a code' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Queue' })).toBeVisible();

  await page.goto('/operator/account');
  await page.getByRole('button', { name: 'Do without it' }).click();
  const removing = page.getByRole('dialog', { name: 'Do without the authenticator?' });
  await lookInBothThemes(page, looks);
  await removing.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('It was removed: after the password a passkey')).toBeVisible();
  await expect(passkeys.getByRole('button', { name: 'Remove Office key' })).toBeDisabled();
  await lookInBothThemes(page, looks);

  // Then the password and a code open nothing, and neither does a browser without the passkey.
  await page.context().clearCookies();
  await lose();
  await page.goto('/operator/login');
  await fillLogin(page, operator);
  complaints.announceStatus(401);
  // One that was used is refused to whoever has the app, too.
  await expect.poll(() => codeIn(1)).not.toBe(used);
  await typeCode(page, codeIn(1));
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey, not a code' }).click();
  await expect(page.getByRole('alert')).toContainText('The browser gave no passkey');
});
