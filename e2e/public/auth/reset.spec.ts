import { expect, test } from '../../fixtures.ts';
import {
  beginReset,
  choosePassword,
  fillNewPassword,
  logIn,
  otherCode,
  showResetCode,
  stored,
  typeCode,
} from '../../people/screens.ts';

const newPassword = 'ash and hazel 1827';

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
  await showResetCode(page, code);
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
  await showResetCode(page, otherCode(code));
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
  await showResetCode(page, (await mailbox.code(person.email, 'password reset')).code);
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

test('no step that is opened without the one before it hides its form, sends anything or loses what was typed', async ({
  page,
  expectAccessible,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  const main = page.getByRole('main');
  const alert = page.getByRole('alert');
  const fillSteps = {
    '/verifyemail': () => typeCode(page, '1826'),
    '/verifyforgotcode': () => typeCode(page, '1826'),
    '/updatepass': () => fillNewPassword(page, newPassword),
  };
  for (const [path, fillIn] of Object.entries(fillSteps)) {
    await page.goto(path);
    await expect(main).toContainText(/^.*in this browser\..*$/);
    await fillIn();
    const typed = () =>
      main.locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    const before = await typed();
    await main.locator('button[type=submit]').click();
    await expect(alert).toContainText(/^Nothing was sent\. No (account|reset) .* first\.$/);
    await expectAccessible();
    expect(await typed()).toEqual(before);
    await expect(page).toHaveURL(path);
    if (path === '/updatepass') continue;
    await main.getByRole('button', { name: 'Resend Code' }).click();
    await expect(alert).toHaveCount(2);
  }
  expect(sent).toEqual([]);
});
