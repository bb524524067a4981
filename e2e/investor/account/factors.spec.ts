import type { Locator, Page } from '@playwright/test';
import { totpAt } from '../../../server/modules/users/factors/authenticator.ts';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, goOnTo, lookInBothThemes } from '../../looking/looking.ts';
import type { Mailbox } from '../../people/mailbox.ts';
import { choose, expectReceipt, openForm, waitForNews } from '../../people/money-forms.ts';
import type { Person } from '../../people/people.ts';
import { logIn, logOut, plugIn, typeCode } from '../../people/screens.ts';
import { newBitcoinAddress } from '../../people/wallets.ts';

// Browsers make no passkey for a bare number.
test.use({ baseURL: ({ server }, use) => use(server.url.replace('127.0.0.1', 'localhost')) });

async function openLogin(page: Page, person: Person): Promise<void> {
  await page.goto('/login');
  await logIn(page, person);
}

async function leave(page: Page): Promise<void> {
  await logOut(page);
  await expect(page).toHaveURL('/');
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
const card = (page: Page, name: string) => page.getByRole('region', { name });

/** Follows the mailed link in another tab; the question goes away by itself. */
async function confirmByMail(page: Page, { email }: Person, mailbox: Mailbox): Promise<void> {
  await expect(question(page)).toContainText('We have sent you a link');
  const { text } = await mailbox.letter(email, 'Confirm that it is you');
  const [, token = ''] = /#stepup=(\S+)/.exec(text) ?? [];
  const tab = await page.context().newPage();
  await tab.goto(`/security#stepup=${token}`);
  await expect(tab).toHaveURL('/security');
  await tab.getByRole('button', { name: 'Yes, it is me' }).click();
  await expect(tab.getByRole('status').filter({ hasText: 'It is confirmed' })).toBeVisible();
  await tab.close();
  await waitForNews(page);
  await expect(question(page)).toBeHidden();
}

async function keepCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expect(dialog.getByRole('list', { name: 'Recovery codes' })).toBeFocused();
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  // They are shown once, so a stray press does not take them away.
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Show them' }).click();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(dialog).toBeHidden();
  return codes;
}

async function showRecoveryCode(where: Page | Locator, code: string, button: string): Promise<void> {
  const other = where.getByRole('button', { name: 'Use a recovery code' });
  const field = where.getByLabel('Recovery code');
  // After a wrong one its field is there already.
  await expect(other.or(field).first()).toBeVisible();
  if (await other.isVisible()) await other.click();
  await field.fill(code);
  await where.getByRole('button', { name: button }).click();
}

/** Whoever forgot to type it is led to the field, and hears what is missing. */
async function showNoRecoveryCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await expect(page.getByLabel('Recovery code')).toHaveAccessibleDescription(/Enter one of your/);
}

/** Back to the button that asked, which waited meanwhile. */
async function leaveQuestion(page: Page, button: Locator): Promise<void> {
  await button.click();
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
}

/** The button goes, and the focus to what stood beside it. */
async function protectAddresses(page: Page): Promise<void> {
  const addresses = card(page, 'Addresses');
  await addresses.getByRole('button', { name: 'Protect my addresses' }).click();
  await expect(addresses.getByRole('button')).toHaveCount(0);
  await expect(addresses.getByRole('link')).toBeFocused();
}

/** A screen reader says the dialog's name and its warning, and not the cross. */
async function expectSaid(dialog: Locator, warning: RegExp): Promise<void> {
  await expect(dialog).toBeFocused();
  await expect(dialog).toHaveAccessibleDescription(warning);
}

test('a passkey is added, signs in with one press, is lost, and a recovery code stands in for it', async ({
  page,
  people,
  mailbox,
  complaints,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const person = await people.verified();
  await page.clock.install();
  const lose = await plugIn(page);
  await openLogin(page, person);
  await expect(page).toHaveURL('/dashboard');
  await goOnTo(page, isMobile ? '/mobilesettings' : '/profile');
  await page.getByRole('link', { name: 'Security' }).click();
  await expect(page.getByText('Your password alone signs you in.')).toBeVisible();
  await lookInBothThemes(page, looks);

  complaints.announceStatus(403);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const naming = page.getByRole('dialog', { name: 'Add a passkey' });
  await naming.getByLabel('Name').fill('My telephone');
  await naming.getByRole('button', { name: 'Add it' }).click();
  await confirmByMail(page, person, mailbox);
  const [code = '', other = ''] = await keepCodes(page);
  const passkeys = card(page, 'Passkeys').getByRole('listitem');
  await expect(passkeys).toContainText(['My telephone']);
  await expect(page.getByText('A second factor is on')).toBeVisible();
  await passkeys.getByRole('button', { name: 'Rename My telephone' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Hazel');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(passkeys).toContainText(['Hazel']);
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);

  await leave(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/dashboard');

  await lose();
  await leave(page);
  await openLogin(page, person);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step');
  await lookInBothThemes(page, looks);
  complaints.announceStatus(422);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('The browser gave no passkey');
  await showNoRecoveryCode(page);
  await showRecoveryCode(page, 'aaaa-bbbb-cccc-dddd', 'Login');
  await expect(page.getByRole('alert')).toBeVisible();
  await showRecoveryCode(page, code, 'Login');
  await expect(page).toHaveURL('/dashboard');
  await mailbox.letter(person.email, 'recovery code');

  await goOnTo(page, '/security');
  await expect(card(page, 'Recovery codes')).toContainText('9 left');
  await leaveQuestion(page, page.getByRole('button', { name: 'Make new codes' }));
  await protectAddresses(page);
  await passkeys.getByRole('button', { name: 'Remove Hazel' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove Hazel?' });
  await expectSaid(removing, /^It is your only second factor\./);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await lookInBothThemes(page, looks);
  await showRecoveryCode(question(page), other, 'Confirm');
  await expect(page.getByText('Your password alone signs you in.')).toBeVisible();
  await expect(passkeys).toHaveCount(0);
});

test('the code of an authenticator opens the account once, and confirms a withdrawal that loses nothing', async ({
  page,
  wallets,
  mailbox,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const { person } = await wallets.owner({ cents: 100_00n });
  await page.clock.install();
  await openLogin(page, person);
  await expect(page).toHaveURL('/dashboard');
  await goOnTo(page, '/security');
  complaints.announceStatus(403);
  await card(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).click();
  await confirmByMail(page, person, mailbox);
  const dialog = page.getByRole('dialog', { name: 'Set up your authenticator' });
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  await lookInBothThemes(page, looks);
  const secret = ((await dialog.locator('p.font-mono').textContent()) ?? '').replace(/\s/g, '');
  const codeIn = (steps: number) => totpAt(secret, new Date(Date.now() + steps * 30_000));
  const used = codeIn(0);
  await typeCode(page, used);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const [recovery = ''] = await keepCodes(page);
  await expect(card(page, 'Authenticator app')).toContainText('On since');

  await leave(page);
  await openLogin(page, person);
  await expect(page.getByText('Enter the code of your authenticator')).toBeVisible();
  complaints.announceStatus(422);
  await typeCode(page, used);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  // What was begun with the password is over: it is asked for again, and stands there already.
  await page.context().clearCookies({ name: /factor/ });
  await typeCode(page, codeIn(1));
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toContainText('Press Login to begin again');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await typeCode(page, codeIn(1));
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/dashboard');

  const form = await openForm(page, 'withdraw');
  await choose(page, form, 'Bitcoin');
  await form.getByLabel('Amount').fill('40');
  await form.getByLabel('Bitcoin address').fill(newBitcoinAddress());
  await form.getByRole('button', { name: 'Withdraw $40.00' }).click();
  await expect(question(page)).toContainText('Enter the code of your authenticator');
  complaints.announce(/Error Making Investment: ApiRefusal: Show your second factor/);
  await question(page).getByRole('button', { name: 'Close' }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Withdraw $40.00' })).toBeFocused();
  await expect(form.getByLabel('Amount')).toHaveValue('40');
  await form.getByRole('button', { name: 'Withdraw $40.00' }).click();
  await showRecoveryCode(question(page), recovery, 'Confirm');
  const made = page.getByRole('dialog', { name: 'Withdrawal requested' });
  await expectReceipt(made, { Amount: '$40.00' });
});
