import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { goodPassword } from '../people.ts';
import { codeBox, fillNewPassword, logIn, otherCode, stored, typeCode } from '../screens.ts';

const newPassword = 'ash and hazel 1827';

async function beginReset(page: Page, email: string) {
  await page.goto('/forgotpass');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL('/verifyforgotcode');
}

async function showCode(page: Page, code: string) {
  await typeCode(page, code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

async function choosePassword(page: Page, password: string) {
  await fillNewPassword(page, password);
  await page.getByRole('button', { name: 'Update Password' }).click();
}

test('a forgotten password is replaced with a code, and every signed-in browser is signed out', async ({
  page,
  openBrowser,
  people,
  mailbox,
  complaints,
  expectAccessible,
}) => {
  const person = await people.verified();
  const elsewhere = await openBrowser();
  await elsewhere.goto('/login');
  await logIn(elsewhere, person);
  await expect(elsewhere).toHaveURL('/dashboard');

  await beginReset(page, person.email);
  await expect(page.getByRole('main')).toContainText(
    'Kindly enter the 4 digit code that was sent to email INBOX/SPAM',
  );
  expect(await stored(page, 'useridkey')).toBe(person.userid);
  const { code } = await mailbox.code(person.email, 'password reset');
  await expectAccessible();
  await showCode(page, code);
  await expect(page).toHaveURL('/updatepass');
  await expectAccessible();
  await choosePassword(page, newPassword);
  await expect(page).toHaveURL('/changepasssuccess');
  await expect(page.getByRole('heading', { name: 'Password Change Successfuly' })).toBeVisible();
  expect(await stored(page, 'useridkey')).toBeNull();
  await mailbox.letter(person.email, 'password was changed');

  complaints.announceStatus(401);
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL('/login?next=%2Fdashboard');
  expect(await stored(elsewhere, 'userdata')).toBeNull();

  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/login');
  expect(await people.signInStatus(person)).toBe(401);
  await logIn(page, { ...person, password: newPassword });
  await expect(page).toHaveURL('/dashboard');
});

test('an unknown e-mail address begins no reset', async ({ page, complaints }) => {
  complaints.announceStatus(422);
  await page.goto('/forgotpass');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid email');
  await expect(page).toHaveURL('/forgotpass');
  expect(await stored(page, 'useridkey')).toBeNull();
});

test('what is no e-mail address is not sent', async ({ page }) => {
  await page.goto('/forgotpass');
  const email = page.getByLabel('Email');
  for (const [typed, words] of [
    ['', /Enter your e-mail address/],
    ['wren at example', /like name@example\.com/],
  ] as const) {
    await email.fill(typed);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(email).toHaveAccessibleDescription(words);
  }
  await expect(page).toHaveURL('/forgotpass');
});

test('a wrong reset code is refused and opens nothing', async ({ page, people, mailbox, complaints }) => {
  const person = await people.verified();
  await beginReset(page, person.email);
  const { code } = await mailbox.code(person.email, 'password reset');
  complaints.announceStatus(422);
  await showCode(page, otherCode(code));
  await expect(page.getByRole('alert')).toContainText('Code does not exist');
  await page.goto('/updatepass');
  await choosePassword(page, newPassword);
  await expect(page.getByRole('alert')).toContainText('Enter the code from the e-mail first');
  expect(await people.signInStatus(person)).toBe(200);
});

test('the new password must be typed twice alike and must be good enough', async ({
  page,
  people,
  mailbox,
  complaints,
  expectAccessible,
}) => {
  const person = await people.verified();
  await beginReset(page, person.email);
  await showCode(page, (await mailbox.code(person.email, 'password reset')).code);
  await expect(page).toHaveURL('/updatepass');

  await fillNewPassword(page, newPassword, `${newPassword}!`);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByText("Password and confirm password field don't match")).toBeVisible();
  await expectAccessible();

  complaints.announceStatus(422);
  const alert = page.getByRole('alert');
  await choosePassword(page, 'short');
  await expect(alert).toContainText('Use at least 8 characters.');
  await choosePassword(page, 'password123');
  await expect(alert).toContainText('This password is among the most used ones');
  await expect(page).toHaveURL('/updatepass');

  await choosePassword(page, newPassword);
  await expect(page).toHaveURL('/changepasssuccess');
});

test('whoever begins a reset for another person cannot ride on that person’s own code', async ({
  openBrowser,
  people,
  mailbox,
  server,
  complaints,
}) => {
  const victim = await people.verified();
  const [attacker, owner] = [await openBrowser(), await openBrowser()];
  await beginReset(attacker, victim.email);
  await mailbox.code(victim.email, 'password reset');
  await server.letMinutePass(victim.email);

  await beginReset(owner, victim.email);
  const { code } = await mailbox.code(victim.email, 'password reset', 2);
  complaints.announceStatus(422);
  await showCode(attacker, code);
  await expect(attacker.getByRole('alert')).toContainText('Code does not exist');
  await showCode(owner, code);
  await expect(owner).toHaveURL('/updatepass');

  const alert = attacker.getByRole('alert');
  await attacker.goto('/updatepass');
  await choosePassword(attacker, 'mine from now on');
  await expect(alert).toContainText('Enter the code from the e-mail first');
  await choosePassword(owner, newPassword);
  await expect(owner).toHaveURL('/changepasssuccess');
  await attacker.getByRole('button', { name: 'Update Password' }).click();
  await expect(alert).toContainText('This browser has no password reset under way');

  expect(await people.signInStatus({ ...victim, password: 'mine from now on' })).toBe(401);
  expect(await people.signInStatus({ ...victim, password: newPassword })).toBe(200);
});

test('the long link of the mail activates an account in another browser, once', async ({
  openBrowser,
  people,
  mailbox,
  complaints,
  expectAccessible,
}) => {
  const person = await people.unverified();
  const { link } = await mailbox.code(person.email, 'activation');
  const fresh = await openBrowser();
  await fresh.goto(link);
  await expect(fresh).toHaveURL('/verifyemail');
  await expectAccessible(fresh);
  expect(await people.signInStatus(person), 'opening the link alone changes nothing').toBe(422);
  await fresh.getByRole('button', { name: 'Activate my account' }).click();
  await expect(fresh).toHaveURL('/emailsuccess');
  expect(await people.signInStatus(person)).toBe(200);

  const late = await openBrowser();
  complaints.announceStatus(422);
  await late.goto(link);
  await late.getByRole('button', { name: 'Activate my account' }).click();
  await expect(late.getByRole('alert')).toContainText('This link no longer works');
  await expectAccessible(late);
});

test('the long link of the mail resets a password in another browser, once', async ({
  page,
  openBrowser,
  people,
  mailbox,
  complaints,
}) => {
  const person = await people.verified();
  await beginReset(page, person.email);
  const { link } = await mailbox.code(person.email, 'password reset');
  const fresh = await openBrowser();
  await fresh.goto(link);
  await expect(fresh).toHaveURL('/verifyforgotcode');
  await expect(codeBox(fresh, 1)).toHaveCount(0);
  await fresh.getByRole('button', { name: 'Continue' }).click();
  await expect(fresh).toHaveURL('/updatepass');
  await choosePassword(fresh, newPassword);
  await expect(fresh).toHaveURL('/changepasssuccess');
  expect(await people.signInStatus({ ...person, password: newPassword })).toBe(200);
  expect(await people.signInStatus({ ...person, password: goodPassword })).toBe(401);

  const late = await openBrowser();
  complaints.announceStatus(422);
  await late.goto(link);
  await late.getByRole('button', { name: 'Continue' }).click();
  await expect(late.getByRole('alert')).toContainText('This link no longer works');
  await expect(late.getByRole('link', { name: 'Begin again' })).toHaveAttribute('href', '/forgotpass');
});
