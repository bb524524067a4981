import { expect, test } from '../../fixtures.ts';
import { goOnTo } from '../../looking/looking.ts';
import { beginReset, choosePassword, logIn, showResetCode } from '../../people/screens.ts';

const password = 'ash and hazel 1827';
const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

test('whoever takes over an address that someone else signed up with is asked for a name, and is the only one inside', async ({
  page,
  people,
  mailbox,
  expectAccessible,
}) => {
  const { email, fullname } = await people.unverified();
  await beginReset(page, email);
  const { code } = await mailbox.code(email, 'password reset');
  await showResetCode(page, code);
  await choosePassword(page, password);
  await page.getByRole('link', { name: 'Continue' }).click();
  await logIn(page, { email, password });
  await expect(page).toHaveURL('/dashboard');

  const asked = page.getByRole('region', { name: 'What is your name?' });
  await expect(asked).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good (morning|afternoon|evening)$/);
  await expect(page.getByRole('main')).not.toContainText(fullname);
  await expectAccessible();
  await goOnTo(page, '/mobiletransaction');
  await expect(asked).toBeVisible();
  await asked.getByRole('button', { name: 'Save my name' }).click();
  await expect(asked.getByLabel('Full name')).toHaveAccessibleDescription(/Enter your full name/);
  await asked.getByLabel('Full name').fill('Robin Ash');
  await asked.getByRole('button', { name: 'Save my name' }).click();
  await expect(asked).toBeHidden();
  await goOnTo(page, '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Robin Ash');
});

test('after a reset the Withdraw form says until when new addresses wait, and one is refused under the specified title', async ({
  page,
  people,
  mailbox,
  complaints,
  expectAccessible,
}) => {
  const person = await people.verified();
  await beginReset(page, person.email);
  const { code } = await mailbox.code(person.email, 'password reset');
  await showResetCode(page, code);
  await choosePassword(page, password);
  const { text } = await mailbox.letter(person.email, 'password was changed');
  expect(text.replace(/\s+/g, ' ')).toContain(
    'withdrawals go only to addresses that you were paid to before',
  );
  await page.getByRole('link', { name: 'Continue' }).click();
  await logIn(page, { email: person.email, password });
  await expect(page).toHaveURL('/dashboard');

  const opener = 'Withdraw';
  await page.getByRole('main').getByRole('button', { name: opener, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdrawal' });
  await dialog.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Bitcoin' }).click();
  await expect(dialog).toContainText(/Until .* UTC.*only to addresses that you were paid to before/);
  await expectAccessible();
  await dialog.getByLabel('Amount').fill('50');
  await dialog.getByLabel('Bitcoin address').fill(address);
  complaints.announceStatus(423);
  complaints.tolerate(/Error Making Investment:/);
  await dialog.getByRole('button', { name: 'Withdraw $50.00' }).click();
  await expect(page.getByText('Error Making Investment')).toBeVisible();
  await expect(dialog.getByLabel('Bitcoin address')).toHaveAccessibleDescription(/New addresses wait until/);
});

test('two browsers of the same kind are told apart in the profile', async ({
  page,
  people,
  openBrowser,
  complaints,
  mailbox,
}) => {
  const person = await people.verified();
  const elsewhere = await openBrowser();
  for (const browser of [elsewhere, page]) {
    await browser.goto('/login');
    await logIn(browser, person);
    await expect(browser).toHaveURL('/dashboard');
  }
  await mailbox.letter(person.email, 'new device');
  await goOnTo(page, '/mobileuserprofile');
  const rows = page.getByRole('region', { name: 'Signed-in devices' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows).toContainText([/Here/, /Sign out/]);
  const [here = '', there = ''] = await rows.allInnerTexts();
  for (const row of [here, there]) expect(row).toMatch(/\w+ \d+ on \w+.*From 10\.20\.[\d.]+, first seen \d/s);
  const addressIn = (row: string) => /From ([\d.]+)/.exec(row)?.[1];
  expect(addressIn(here)).not.toBe(addressIn(there));
  await rows
    .last()
    .getByRole('button', { name: /^Sign out .*, first seen / })
    .click();
  await expect(rows).toHaveCount(1);
  complaints.announceStatus(401);
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL('/login?next=%2Fdashboard');
});
