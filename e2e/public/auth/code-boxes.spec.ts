import type { Page } from '@playwright/test';
import { resend, verifycode } from '@tallystick/contract/users';
import { expect, test } from '../../fixtures.ts';
import { newEmail, type Person } from '../../people/people.ts';
import { codeBox, otherCode, typeCode } from '../../people/screens.ts';

/** The code page as it is after a sign-in to an account that is not active yet. */
async function openCodePage(page: Page, { userid }: Person) {
  await page.goto('/verifyemail');
  await page.evaluate((id) => localStorage.setItem('useridkey', id), userid);
  await page.reload();
  await expect(codeBox(page, 1)).toBeVisible();
}

async function expectBoxes(page: Page, digits: [string, string, string, string]) {
  for (const [index, digit] of digits.entries()) await expect(codeBox(page, index + 1)).toHaveValue(digit);
}

function countCalls(page: Page, path: string): { count: number } {
  const calls = { count: 0 };
  const prefix = path.split(':')[0] ?? path;
  page.on('request', (request) => {
    if (request.url().includes(prefix)) calls.count += 1;
  });
  return calls;
}

test('each box takes one digit and hands on to the next; Backspace goes back', async ({ page, people }) => {
  await openCodePage(page, await people.unverified());
  await codeBox(page, 1).click();
  await page.keyboard.type('a1-b2 ');
  await expectBoxes(page, ['1', '2', '', '']);
  await expect(codeBox(page, 3)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expectBoxes(page, ['1', '', '', '']);
  await expect(codeBox(page, 2)).toBeFocused();
  await page.keyboard.type('345');
  await expectBoxes(page, ['1', '3', '4', '5']);
  await page.keyboard.press('ArrowLeft');
  await expect(codeBox(page, 3)).toBeFocused();
  await page.keyboard.type('9');
  await expectBoxes(page, ['1', '3', '9', '5']);
  for (const at of [1, 2, 3, 4]) await expect(codeBox(page, at)).toHaveAttribute('inputmode', 'numeric');
});

test('a pasted code fills all boxes, wherever it is pasted', async ({ page, people, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCodePage(page, await people.unverified());
  await page.evaluate(() => navigator.clipboard.writeText(' 40-72 '));
  for (const at of [1, 3]) {
    await codeBox(page, at).click();
    await page.keyboard.press('ControlOrMeta+V');
    await expectBoxes(page, ['4', '0', '7', '2']);
    await expect(codeBox(page, 4)).toBeFocused();
    for (const _ of '4072') await page.keyboard.press('Backspace');
    await expectBoxes(page, ['', '', '', '']);
  }
});

test('the fourth digit never sends the code, the button does', async ({ page, people, mailbox }) => {
  const person = await people.unverified();
  const { code } = await mailbox.code(person.email, 'activation');
  await openCodePage(page, person);
  const calls = countCalls(page, verifycode.path);
  await typeCode(page, code);
  await expectBoxes(page, [...code] as [string, string, string, string]);
  // A round trip to the server and back: whatever the fourth digit had sent would be seen by now.
  await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
  expect(calls.count).toBe(0);
  await expect(page).toHaveURL('/verifyemail');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL('/emailsuccess');
  expect(calls.count).toBe(1);
});

test('a wrong code is refused in the catalogue’s words, and the right one still works', async ({
  page,
  people,
  mailbox,
  complaints,
  expectAccessible,
}) => {
  const person = await people.unverified();
  const { code } = await mailbox.code(person.email, 'activation');
  await openCodePage(page, person);
  await typeCode(page, otherCode(code));
  complaints.announceStatus(422);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert')).toContainText('Code does not exist');
  await expect(page).toHaveURL('/verifyemail');
  await expectAccessible();
  await typeCode(page, code);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL('/emailsuccess');
});

test('an incomplete code is not sent', async ({ page, people }) => {
  await openCodePage(page, await people.unverified());
  const calls = countCalls(page, verifycode.path);
  await typeCode(page, '12');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Enter the four digits of the code.')).toBeVisible();
  await expect(codeBox(page, 3)).toBeFocused();
  expect(calls.count).toBe(0);
});

test('Resend Code counts down a minute, says what the server says, and the new code works', async ({
  page,
  server,
  mailbox,
  complaints,
}) => {
  const email = newEmail();
  await page.clock.install();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Wren Hollis');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('notched hazel 1826');
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page).toHaveURL('/verifyemail');
  await mailbox.code(email, 'activation');

  const again = page.getByRole('button', { name: 'Resend Code' });
  const calls = countCalls(page, resend.path);
  await expect(again).toHaveText(/^Resend Code in (1:00|0:5\d)$/);
  await again.click({ force: true });
  await page.clock.fastForward(30_000);
  await expect(again).toHaveText(/^Resend Code in 0:(2\d|30)$/);
  await page.clock.fastForward(31_000);
  await expect(again).toHaveText('Resend Code');
  expect(calls.count).toBe(0);

  complaints.announceStatus(429);
  await again.click();
  await expect(page.getByRole('alert')).toContainText(/Ask again in \d+ s/);

  await server.letMinutePass(email);
  await again.click();
  await expect(page.getByRole('status')).toContainText('A new code is on its way');
  await expect(again).toHaveText(/^Resend Code in (1:00|0:5\d)$/);
  const { code } = await mailbox.code(email, 'activation', 2);
  await typeCode(page, code);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL('/emailsuccess');
});

test('without a sign-up in this browser the code page says how to begin, above its form', async ({
  page,
}) => {
  for (const [path, way] of [
    ['/verifyemail', '/signup'],
    ['/verifyforgotcode', '/forgotpass'],
    ['/updatepass', '/forgotpass'],
  ] as const) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main).toContainText('in this browser');
    await expect(main.locator(`a[href="${way}"]`)).toBeVisible();
    await expect(main.locator('button[type=submit]')).toBeVisible();
  }
});
