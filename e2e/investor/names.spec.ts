import { expect, test } from '../fixtures.ts';
import { goodPassword, newEmail } from '../people.ts';
import { logIn, typeCode } from '../screens.ts';

const hostileName = `<img src=x onerror=window.__xss=1>"'`;

test('a name full of markup is shown as it was typed and runs nowhere', async ({
  page,
  mailbox,
  complaints,
}) => {
  const email = newEmail();
  const expectHarmless = async () => {
    expect(await page.evaluate(() => '__xss' in window)).toBe(false);
    await expect(page.locator('img[onerror]')).toHaveCount(0);
  };

  await page.goto('/signup');
  await page.getByLabel('Full name').fill(hostileName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page).toHaveURL('/verifyemail');
  await typeCode(page, (await mailbox.code(email, 'activation')).code);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await logIn(page, { email, password: goodPassword });
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(hostileName);
  await expectHarmless();

  // No script runs in the frame of a letter, not even those with which Playwright records what it sees.
  complaints.tolerate(/frame is sandboxed/);
  await page.goto('/dev/inbox');
  await page.getByRole('link').filter({ hasText: email }).click();
  await expect(page.getByRole('definition').filter({ hasText: email }).first()).toContainText(hostileName);
  await expect(page.locator('pre')).toContainText(hostileName);
  const letter = page.frameLocator('iframe');
  await expect(letter.locator('body')).toContainText(hostileName);
  await expect(letter.locator('img')).toHaveCount(0);
  await expectHarmless();
});
