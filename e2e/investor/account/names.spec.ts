import { expect, test } from '../../fixtures.ts';
import { goodPassword, newEmail } from '../../people/people.ts';
import { logIn } from '../../people/screens.ts';

const hostileName = `<img src=x onerror=window.__xss=1>"'`;

test('a name that is no name is told at the field and sent nowhere', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/signup');
  const fullname = page.getByLabel('Full name');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  for (const message of [hostileName, 'URGENT call +44 20 7946 0958', 'Ama\u202era', 'Ama\u200bra']) {
    await fullname.fill(message);
    await page.getByRole('button', { name: 'Get Started' }).click();
    await expect(fullname).toHaveAccessibleDescription(/Use letters, spaces, hyphens/);
    await expect(fullname).toBeFocused();
  }
  expect(sent).toEqual([]);
});

test('a name full of markup, from before, is shown as it was typed and runs nowhere', async ({
  page,
  people,
  server,
  mailbox,
  complaints,
}) => {
  const expectHarmless = async () => {
    expect(await page.evaluate(() => '__xss' in window)).toBe(false);
    await expect(page.locator('img[onerror]')).toHaveCount(0);
  };
  const { email, password } = await people.verified();
  await server.storeName(email, hostileName);
  await page.goto('/login');
  await logIn(page, { email, password });
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(hostileName);
  await expectHarmless();
  await page.goto('/forgotpass');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Verify' }).click();
  await mailbox.code(email, 'password reset');

  // No script runs in the frame of a letter, not even those with which Playwright records what it sees.
  complaints.tolerate(/frame is sandboxed/);
  await page.goto('/dev/inbox');
  await page.getByRole('link').filter({ hasText: email }).filter({ hasText: 'password reset' }).click();
  await expect(page.getByRole('definition').filter({ hasText: email }).first()).toContainText(hostileName);
  await expect(page.locator('pre')).toContainText(hostileName);
  const letter = page.frameLocator('iframe');
  await expect(letter.locator('body')).toContainText(hostileName);
  await expect(letter.locator('img')).toHaveCount(0);
  await expectHarmless();
});
