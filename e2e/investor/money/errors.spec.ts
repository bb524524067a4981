import type { Locator, Page } from '@playwright/test';
import { addbalance } from '@tallystick/contract/funding';
import { makeinvestment } from '@tallystick/contract/investment';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { expect, test } from '../../fixtures.ts';
import { expectAfter } from '../../looking/clock.ts';
import { unreachable } from '../../looking/complaints.ts';
import {
  balanceCard,
  choose,
  closeSuccess,
  expectSums,
  openDashboard,
  openForm,
  waitForNews,
} from '../../people/money-forms.ts';
import { newBitcoinAddress } from '../../people/wallets.ts';

const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text });

/** A form with everything in it, and its button. */
async function fill(page: Page, form: 'fund' | 'invest' | 'withdraw', amount: string) {
  const dialog = await openForm(page, form);
  await choose(page, dialog, form === 'invest' ? 'Starter' : 'Bitcoin');
  await dialog.getByLabel('Amount').fill(amount);
  if (form === 'withdraw') await dialog.getByLabel('Bitcoin address').fill(newBitcoinAddress());
  return { dialog, submit: dialog.locator('button[type=submit]') };
}

async function close(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
}

test('a money form that is refused says so in the catalogue’s words, why beneath, and nothing moves', async ({
  page,
  server,
  wallets,
  complaints,
}) => {
  await openDashboard(page, await wallets.owner({ cents: 120_00n }), server.url);
  complaints.announceStatus(402);
  complaints.announceStatus(422);
  complaints.announce(/Error Making Investment: ApiRefusal/, /Error adding balance: ApiRefusal/);
  const short = toast(page, 'You Have Insufficient Fund');
  const failed = toast(page, 'Error Making Investment');

  for (const form of ['invest', 'withdraw'] as const) {
    const { dialog, submit } = await fill(page, form, '500');
    const amount = dialog.getByLabel('Amount');
    await submit.click();
    await expect(short.last()).toBeVisible();
    // The specified words are the same for both, so beneath them it says which of the two was not made.
    const notMade = form === 'invest' ? 'The investment was not made.' : 'The withdrawal was not made.';
    await expect(short.last()).toContainText(notMade);
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(amount).toBeFocused();
    await expect(submit).toBeEnabled();
    if (form === 'invest') {
      const box = await short.last().boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1400);
      expect(box?.y).toBeLessThan(200);
      // Five seconds, as specified, and no more.
      await expectAfter(page, 5_500, () => expect(short).toHaveCount(0));
      await amount.fill('99.99');
    } else {
      await amount.fill('20');
      await dialog.getByLabel('Bitcoin address').fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5');
    }
    await submit.click();
    await expect(failed.last()).toContainText(notMade);
    await expect(dialog.locator('[aria-invalid=true]')).toHaveAccessibleDescription(
      form === 'invest' ? /\$100/ : /address/,
    );
    await close(dialog);
    await expectAfter(page, 5_500, () => expect(failed).toHaveCount(0));
  }

  // A failed funding is only logged; the form itself still says what happened.
  const { dialog, submit } = await fill(page, 'fund', '9.99');
  await submit.click();
  await expect(dialog.getByLabel('Amount')).toHaveAccessibleDescription(/Fund with \$10\.00 to/);
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await close(dialog);
  await expectSums(page, { available: '$120.00', together: '$120.00' });
});

test('an amount outside the plan’s range is told while typing, previews nothing and can still be sent', async ({
  page,
  server,
  wallets,
  complaints,
}) => {
  await openDashboard(page, await wallets.owner({ cents: 5000_00n }), server.url);
  const { dialog, submit } = await fill(page, 'invest', '');
  const amount = dialog.getByLabel('Amount');
  const told = dialog.getByRole('status').filter({ hasText: 'Starter takes $100 to $1,999.' });
  const preview = dialog.getByText('You receive');
  for (const outside of ['99.99', '1999.01', '$4,000', '04000.']) {
    await amount.fill(outside);
    await expect(told).toBeVisible();
    await expect(preview).toHaveCount(0);
  }
  for (const inside of ['0250', '250.', '$250', '1,000', '1999']) {
    await amount.fill(inside);
    await expect(preview).toBeVisible();
    await expect(told).toHaveCount(0);
  }
  await amount.fill('1.000,50');
  await submit.click();
  await expect(amount).toHaveAccessibleDescription(/Put a point before the cents/);
  complaints.announceStatus(422);
  complaints.announce(/Error Making Investment: ApiRefusal/);
  await amount.fill('50');
  await submit.click();
  await expect(toast(page, 'Error Making Investment')).toBeVisible();
  await expect(amount).toHaveAccessibleDescription(/Starter takes \$100\.00 to/);
});

test('an error that was answered is not called no answer, be it the server’s own or a proxy’s page', async ({
  page,
  server,
  wallets,
  complaints,
}) => {
  const owner = await wallets.owner({ cents: 100_00n });
  await openDashboard(page, owner, server.url);
  complaints.announceStatus(500);
  complaints.announceStatus(502);
  complaints.announce(/Error Making Investment: ApiRefusal/);
  const { dialog, submit } = await fill(page, 'withdraw', '20');
  const { path } = makenewwithdrawal;
  const ours = { code: 'internal', message: 'Something went wrong on our side.' };
  const answers = [
    { status: 500, json: ours, headers: { 'x-request-id': '7f1b9a04-c6d2-4f0e-8d1c-3b5a79e2f486' } },
    { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
    { status: 200, contentType: 'text/html', body: '<h1>Welcome to this hotel</h1>' },
  ];
  for (const answer of answers) {
    await page.route(`**${path}`, (route) => route.fulfill(answer));
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('The server answered with an error');
    await expect(dialog.getByText('Reference 7f1b9a04.')).toHaveCount('headers' in answer ? 1 : 0);
    await expect(dialog).not.toContainText('No answer came');
    await expect(toast(page, 'It is not known whether the withdrawal was made.').last()).toBeVisible();
    await page.unroute(`**${path}`);
  }
  await submit.click();
  await closeSuccess(page, 'Withdrawal requested');
  expect(await wallets.sums(owner)).toMatchObject({ available: 80, entries: 2 });
});

const commands = [
  { form: 'fund', call: addbalance, amount: '50', success: 'Request received' },
  { form: 'invest', call: makeinvestment, amount: '100.01', success: 'Investment started' },
  { form: 'withdraw', call: makenewwithdrawal, amount: '30.07', success: 'Withdrawal requested' },
] as const;

/** The server gets what was sent, once the test lets it through, and does it; its answer is lost on the way back. */
async function loseAnswers(page: Page, path: string) {
  const held = Promise.withResolvers<void>();
  const calls = { count: 0, release: held.resolve };
  await page.route(`**${path}`, async (route) => {
    calls.count += 1;
    await held.promise;
    await route.fetch();
    await route.abort('connectionreset');
  });
  return calls;
}

test('pressing twice, and pressing again after the connection broke, has one effect', async ({
  page,
  server,
  wallets,
  complaints,
  expectAccessible,
}) => {
  const owner = await wallets.owner({ cents: 300_00n });
  await openDashboard(page, owner, server.url);
  complaints.announce(/ERR_CONNECTION_RESET/, /Error Making Investment: ApiUnreachable/);
  complaints.announce(/Error adding balance: ApiUnreachable/);

  for (const { form, call, amount, success } of commands) {
    const { dialog, submit } = await fill(page, form, amount);
    const calls = await loseAnswers(page, call.path);
    await submit.dblclick();
    await dialog.getByLabel('Amount').press('Enter');
    calls.release();
    await expect(dialog.getByRole('alert')).toContainText('Press again: it counts once.');
    expect(calls.count).toBe(1);
    await page.unroute(`**${call.path}`);
    await submit.click();
    await closeSuccess(page, success);
    // Sooner than by itself: what failed before is no news any more.
    await expect(toast(page, 'Error Making Investment')).toHaveCount(0, { timeout: 2_500 });
  }
  await expectSums(page, {
    available: '$169.92',
    invested: '$100.01',
    withdrawing: '$30.07',
    together: '$300.00',
  });
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByText('Bitcoin deposit waiting for confirmation')).toHaveCount(1);
  await expect(waiting.getByText('Bitcoin withdrawal waiting for approval')).toHaveCount(1);
  expect(await wallets.sums(owner)).toMatchObject({ available: 169.92, entries: 3 });

  await waiting.getByRole('button', { name: 'Cancel request' }).click();
  await expect(waiting.getByRole('button', { name: 'Keep request' })).toBeFocused();
  await expectAccessible();
  await waiting.getByRole('button', { name: /^Cancel/ }).click();
  await expect(toast(page, 'Request cancelled')).toContainText('$30.07 is back in your balance.');
  await expectSums(page, { available: '$199.99', invested: '$100.01', together: '$300.00' });
  expect(await wallets.sums(owner)).toMatchObject({ available: 199.99, entries: 4 });
});

test('profile and password say in a toast what became of them', async ({
  page,
  server,
  wallets,
  people,
  complaints,
}) => {
  const { person, session } = await wallets.owner();
  await openDashboard(page, { person, session }, server.url);
  await page.goto('/profile');
  complaints.announce(/ERR_INTERNET_DISCONNECTED/, /Error updating profile:/, /Error changing password:/);
  complaints.tolerate(...unreachable);
  const name = page.getByLabel('Full name');
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly');
  await name.fill('Wren Hollis-Ōta');
  await page.context().setOffline(true);
  await save.click();
  await expect(toast(page, 'Error Updating Profile')).toContainText('could not be reached');
  await page.context().setOffline(false);
  await save.click();
  await expect(toast(page, 'Profile Updated Successfully')).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue('Wren Hollis-Ōta');

  await page.getByRole('tab', { name: 'Change Password' }).click();
  const [old, fresh, again] = ['Old Password', 'New Password', 'Confirm New Password'].map((label) =>
    page.getByLabel(label, { exact: true }),
  ) as [Locator, Locator, Locator];
  const update = page.getByRole('button', { name: 'Update Password' });
  await old.fill('not the password');
  await fresh.fill('another hazel 1827');
  await again.fill('another hazel 1828');
  await update.click();
  await expect(toast(page, "Password Don't Match")).toBeVisible();
  complaints.announceStatus(422);
  await again.fill('another hazel 1827');
  await update.click();
  await expect(toast(page, 'Error Changing Password')).toBeVisible();
  await expect(old).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL(/\/profile/);
  await old.fill(person.password);
  await update.click();
  await expect(toast(page, 'Password Updated Successfully')).toBeVisible();
  expect(await people.signInStatus({ ...person, password: 'another hazel 1827' })).toBe(200);
});

test('what cannot be fetched is logged, said quietly where it is missing, and can be asked for again', async ({
  page,
  server,
  wallets,
  complaints,
}) => {
  const owner = await wallets.owner({ cents: 120_00n });
  await page.route('**/api/**', (route) => route.abort());
  complaints.announce(/ERR_FAILED/, /Error fetching balance:/, /Error fetching investment:/);
  complaints.announce(/Error fetching crypto rates:/, /Error fetching user profile:/);
  complaints.tolerate(/Error fetching (balance history|funding requests|withdrawals|the count of notices):/);
  await openDashboard(page, owner, server.url);
  await expect(toast(page, 'Error Fetching User Profile')).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Prices' })).toHaveCount(0);
  await expect(balanceCard(page)).toContainText('Your balance could not be fetched.');

  complaints.announce(/Error fetching investment plans:/);
  await balanceCard(page).getByRole('button', { name: 'Invest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invest' });
  await expect(dialog).toContainText('The plans could not be fetched.');
  await page.unroute('**/api/**');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByRole('combobox')).toBeVisible();
  await close(dialog);
  // What the screen asks for by itself comes back by itself.
  await waitForNews(page);
  await expectSums(page, { available: '$120.00', together: '$120.00' });

  // Frame and form both need the profile; that it is missing is told once.
  await page.route('**/api/users/viewprofile', (route) => route.abort());
  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('could not be fetched');
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1);
});
