import { expect, test } from '../../fixtures.ts';
import { goodPassword, newEmail } from '../../people/people.ts';
import { logIn, logOut, stored, storedSession, typeCode } from '../../people/screens.ts';

test('a visitor becomes an investor: sign up, code from the mail, log in, log out', async ({
  page,
  mailbox,
  people,
}) => {
  const visitor = { fullname: 'Ífẹ́ O’Brien-Ōta', email: newEmail(), password: goodPassword };

  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Get Started' }).first().click();
  await expect(page).toHaveURL('/signup');
  await page.locator('input[name=fullname]').fill(visitor.fullname);
  await page.locator('input[name=email]').fill(visitor.email);
  await page.locator('input[name=password]').fill(visitor.password);
  await page.getByRole('button', { name: 'Get Started' }).click();

  await expect(page).toHaveURL('/verifyemail');
  await expect(page.getByRole('main')).toContainText(visitor.email);
  await expect(page.getByRole('main')).toContainText(/spam/i);
  expect(await stored(page, 'useridkey')).toMatch(/^[0-9a-f-]{36}$/);
  const userid = await stored(page, 'useridkey');
  const { code } = await mailbox.code(visitor.email, 'activation');
  await typeCode(page, code);
  await page.getByRole('button', { name: 'Submit' }).click();

  await expect(page).toHaveURL('/emailsuccess');
  await expect(page.getByRole('heading', { name: 'Email Verification Successful' })).toBeVisible();
  await expect(page.getByText('Your account has been successfully verified!')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();

  await expect(page).toHaveURL('/login');
  await logIn(page, visitor);
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(visitor.fullname);
  const session = await storedSession(page);
  expect(session).toEqual({
    _id: userid,
    token: expect.stringMatching(/^\S{40,}$/),
    fullname: visitor.fullname,
    email: visitor.email,
  });
  expect(await people.profileStatus(session)).toBe(200);

  await logOut(page);
  await expect(page).toHaveURL('/');
  expect(await stored(page, 'userdata')).toBeNull();
  await expect.poll(() => people.profileStatus(session)).toBe(401);
});

test('an e-mail address can have one account only, however it is spelled', async ({
  page,
  people,
  complaints,
}) => {
  const taken = await people.unverified();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Somebody Else');
  await page.getByLabel('Email').fill(taken.email.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  complaints.announceStatus(422);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page.getByRole('alert')).toContainText('User email already exist');
  await expect(page).toHaveURL('/signup');
});

test('a password that everybody uses is refused at its field, with the reason', async ({
  page,
  complaints,
}) => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Wren Hollis');
  await page.getByLabel('Email').fill(newEmail());
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('password123');
  complaints.announceStatus(400);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toHaveAccessibleDescription(/among the most used ones/);
  await expect(password).toBeFocused();
});

test('nothing is sent while a field is empty or wrong, and each one says what it needs', async ({
  page,
  expectAccessible,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/signup');
  const [fullname, email, password] = [
    page.getByLabel('Full name'),
    page.getByLabel('Email'),
    page.getByLabel('Password', { exact: true }),
  ];
  for (const field of [fullname, email, password]) await expect(field).toHaveAttribute('required');
  await expect(email).toHaveAttribute('type', 'email');

  const submit = page.getByRole('button', { name: 'Get Started' });
  await submit.click();
  await expect(fullname).toHaveAccessibleDescription(/Enter your full name/);
  await expect(email).toHaveAccessibleDescription(/Enter your e-mail address/);
  await expect(password).toHaveAccessibleDescription(/Use at least 8 characters/);
  await expect(fullname).toBeFocused();
  await expectAccessible();

  await fullname.fill('Wren Hollis');
  await email.fill('wren at example');
  await password.fill('7 chars');
  await submit.click();
  await expect(fullname).not.toHaveAttribute('aria-invalid', 'true');
  await expect(email).toHaveAccessibleDescription(/like name@example\.com/);
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL('/signup');
  expect(sent).toEqual([]);
});

test('the password can be looked at, and is hidden again', async ({ page }) => {
  await page.goto('/signup');
  const password = page.locator('input[name=password]');
  await password.fill(goodPassword);
  const eye = page.getByRole('button', { name: /^Show / });
  await eye.click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(password).toHaveValue(goodPassword);
  await eye.click();
  await expect(password).toHaveAttribute('type', 'password');
});
