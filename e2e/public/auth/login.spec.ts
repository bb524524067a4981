import type { Page } from '@playwright/test';
import { pathOf } from '@tallystick/contract/call';
import { signin } from '@tallystick/contract/users';
import { expect, test } from '../../fixtures.ts';
import { fillLogin, logIn, stored, storedSession } from '../../people/screens.ts';

/** Presses Login and waits until the server has answered. */
async function press(page: Page): Promise<number> {
  const answer = page.waitForResponse((response) => response.url().endsWith(pathOf(signin)));
  await page.getByRole('button', { name: 'Login' }).click();
  return (await answer).status();
}

test('a wrong password and an unknown address are refused with the same words', async ({
  page,
  people,
  complaints,
  expectAccessible,
}) => {
  const person = await people.verified();
  complaints.announceStatus(401);
  await page.goto('/login');
  for (const email of [person.email, 'nobody@example.com']) {
    await fillLogin(page, { email, password: 'not the password' });
    expect(await press(page)).toBe(401);
    await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  }
  await expectAccessible();
  expect(await stored(page, 'userdata')).toBeNull();
  await expect(page).toHaveURL('/login');
});

test('an account that is not active is led to the code page', async ({ page, people, complaints }) => {
  const person = await people.unverified();
  complaints.announceStatus(422);
  await page.goto('/login');
  await logIn(page, person);
  await expect(page).toHaveURL('/verifyemail');
  await expect(page.getByRole('main')).toContainText(person.email);
  expect(await stored(page, 'useridkey')).toBe(person.userid);
  expect(await stored(page, 'userdata')).toBeNull();
});

test('after five failures the sign-in slows down, says why, and a restart forgets nothing', async ({
  page,
  people,
  server,
  complaints,
}) => {
  const person = await people.verified();
  complaints.announceStatus(401);
  complaints.announceStatus(429);
  await page.goto('/login');
  await fillLogin(page, { ...person, password: 'not the password' });
  for (let failures = 0; failures < 5; failures += 1) expect(await press(page)).toBe(401);

  const alert = page.getByRole('alert');
  await fillLogin(page, person);
  expect(await press(page)).toBe(429);
  await expect(alert).toContainText('Unknown error exist while submiting form');
  await expect(alert).toContainText(/Try again in \d+ s/);

  await server.end();
  await server.begin();
  expect(await press(page)).toBe(429);
  await expect(alert).toContainText(/Try again in \d+ s/);
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
});

test('the demo fills in its own details, and they work', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Fill in the demo details' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('amara@example.com');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Amara Okonkwo');
});

test('the button says Loading.. while the answer is on its way, and works again afterwards', async ({
  page,
  people,
  complaints,
}) => {
  const person = await people.verified();
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(`**${pathOf(signin)}`, async (route) => {
    sent += 1;
    await held.promise;
    await route.continue();
  });
  complaints.announceStatus(401);
  await page.goto('/login');
  await logIn(page, { ...person, password: 'not the password' });
  const loading = page.getByRole('button', { name: 'Loading..' });
  await expect(loading).toBeDisabled();
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(loading).toBeDisabled();
  held.resolve();
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
  await expect(loading).toHaveCount(0);
  expect(sent).toBe(1);

  await logIn(page, person);
  await expect(page).toHaveURL('/dashboard');
});

test('without a connection the form says that nothing was sent, and works once it is back', async ({
  page,
  context,
  people,
  complaints,
  expectAccessible,
}) => {
  const person = await people.verified();
  await page.goto('/login');
  complaints.announce(/ERR_INTERNET_DISCONNECTED/, /The form could not be sent/);
  await context.setOffline(true);
  await logIn(page, person);
  await expect(page.getByRole('alert')).toContainText('nothing was sent');
  const button = page.getByRole('button', { name: 'Login' });
  await expect(button).toBeEnabled();
  await context.setOffline(false);
  await expectAccessible();
  await button.click();
  await expect(page).toHaveURL('/dashboard');
  expect((await storedSession(page)).email).toBe(person.email);
});

test('empty fields are named and nothing is sent', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Enter your e-mail address/);
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /Enter your password/,
  );
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page).toHaveURL('/login');
});

test('the ways to the other forms lead there', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL('/forgotpass');
  await page.getByRole('link', { name: 'Log In' }).click();
  await expect(page).toHaveURL('/login');
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL('/signup');
  await page.getByRole('link', { name: 'Log In' }).click();
  await expect(page).toHaveURL('/login');
});

test('whoever is signed in is not asked to log in or sign up as if nobody were', async ({
  page,
  people,
  expectAccessible,
}) => {
  const [person, other] = [await people.verified('Wren Hollis'), await people.verified('Ada Finch')];
  await page.goto('/login');
  await logIn(page, person);
  await expect(page).toHaveURL('/dashboard');
  const session = await storedSession(page);
  const notice = page.getByRole('region', { name: 'Signed in' });
  for (const path of ['/signup', '/login']) {
    await page.goto(path);
    await expect(notice).toContainText(person.fullname);
    await expect(notice).toContainText(person.email);
    await expect(notice.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
    await expect(page).toHaveURL(path);
    await expect(page.getByLabel('Email')).toBeEditable();
  }
  await expectAccessible();

  await notice.getByRole('button', { name: 'Use another account' }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('status')).toHaveText('You are signed out.');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect.poll(() => people.profileStatus(session)).toBe(401);
  await logIn(page, other);
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(other.fullname);
});
