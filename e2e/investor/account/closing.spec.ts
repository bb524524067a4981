import type { Page } from '@playwright/test';
import { proposecorrection } from '@tallystick/contract/operator/investors';
import { corrections, queue } from '@tallystick/contract/operator/queue';
import { unzipped } from '../../../server/testing/account/unzip.ts';
import { expect, test } from '../../fixtures.ts';
import { lookInBothThemes } from '../../looking/looking.ts';
import type { Mailbox } from '../../people/mailbox.ts';
import { expectReceipt, openDashboard, waitForNews } from '../../people/money-forms.ts';
import type { Operators } from '../../people/operators.ts';
import { logIn } from '../../people/screens.ts';
import type { Owner } from '../../people/wallets.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

/** Follows the mailed link in another tab; the question goes away by itself. */
async function confirmByMail(page: Page, { person }: Owner, mailbox: Mailbox): Promise<void> {
  await expect(question(page)).toContainText('We have sent you a link');
  const { text } = await mailbox.letter(person.email, 'Confirm that it is you');
  const [, token = ''] = /#stepup=(\S+)/.exec(text) ?? [];
  const tab = await page.context().newPage();
  await tab.goto(`/security#stepup=${token}`);
  await tab.getByRole('button', { name: 'Yes, it is me' }).click();
  await expect(tab.getByRole('status').filter({ hasText: 'It is confirmed' })).toBeVisible();
  await tab.close();
  await waitForNews(page);
  await expect(question(page)).toBeHidden();
}

/** Two operators take it out of the wallet. */
async function takeOut(operators: Operators, { session }: Owner, dollars: number): Promise<void> {
  const [first, second] = [await operators.first(), await operators.second()];
  const body = { direction: 'take', amount: dollars, reason: 'For a journey.' } as const;
  await first.press(proposecorrection, { params: { id: session._id }, body });
  const waiting = (await first.press(queue, {})).corrections.find(
    ({ investor }) => investor._id === session._id,
  );
  await second.press(corrections.confirm, { params: { id: waiting?._id ?? '' } });
}

/** What is in the zip, once whoever is there has shown it. */
async function downloaded(page: Page, confirm: () => Promise<void>): Promise<Map<string, Buffer>> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download everything about me' }).click();
  await confirm();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(/^my-account-\d{4}-\d\d-\d\d\.zip$/);
  return unzipped(Buffer.concat(await (await file.createReadStream()).toArray()));
}

test('everything is downloaded, and the account closed once it is empty but for some cents', async ({
  page,
  isMobile,
  server,
  wallets,
  mailbox,
  operators,
  complaints,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const owner = await wallets.owner({ cents: 25_37n });
  const { email } = owner.person;
  await openDashboard(page, owner, server.url);
  await page.goto(isMobile ? '/mobileuserprofile' : '/profile');
  // A session alone gets nothing.
  complaints.announceStatus(403);
  const files = await downloaded(page, () => confirmByMail(page, owner, mailbox));
  expect(JSON.parse(String(files.get('profile.json')))).toMatchObject([{ email }]);
  expect(JSON.parse(String(files.get('entries.json')))).toHaveLength(1);
  await mailbox.letter(email, 'was downloaded');

  await page.getByRole('button', { name: 'Close my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close my account' });
  await expectReceipt(dialog, { 'In your wallet': '$25.37' });
  await expect(dialog.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expectAccessible(page);

  // The screen notices by itself that it may be closed now.
  await takeOut(operators, owner, 25);
  await waitForNews(page);
  await expect(dialog).toContainText('$0.37 is left in your wallet, too little to withdraw.');
  await lookInBothThemes(page, looks);
  const confirm = dialog.getByRole('button', { name: 'Leave $0.37 and close' });
  await confirm.click();
  await expect(dialog.getByText('Type the e-mail address of your account.')).toBeVisible();
  await expect(dialog.getByLabel('Your e-mail address, to confirm')).toBeFocused();
  complaints.announceStatus(422);
  complaints.announce(/Error closing the account:/);
  await dialog.getByLabel('Your e-mail address, to confirm').fill('somebody@example.com');
  await confirm.click();
  await expect(dialog.getByText('This is not the e-mail address of the account.')).toBeVisible();
  await dialog.getByLabel('Your e-mail address, to confirm').fill(email);
  await confirm.click();
  await expect(page).toHaveURL('/accountclosed');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account is closed');
  await mailbox.letter(email, 'account is closed');

  // Nobody is signed in any more, nor can be.
  complaints.announceStatus(401);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/');
  await page.goto('/login');
  await logIn(page, owner.person);
  await expect(page.getByText('Invalid email or password')).toBeVisible();

  const console = await openConsole('first', `/operator/investors/${owner.session._id}`);
  await expect(console.getByText(/^Closed on \d/)).toBeVisible();
  await expect(console.getByRole('heading', { level: 1 })).toHaveText('Closed account');
  await expect(console.getByText('Left at Closing').filter({ visible: true }).first()).toBeVisible();
  await expect(console.getByRole('button', { name: 'Correction' })).toHaveCount(0);
});
