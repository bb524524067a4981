import type { Page } from '@playwright/test';
import { totpAt } from '../../server/modules/users/factors/authenticator.ts';
import { evmWallet } from '../../server/testing/proof/signing-wallets.ts';
import { expect, test } from '../fixtures.ts';
import { type Looks, lookInBothThemes } from '../looking/looking.ts';
import {
  choose,
  expectEntries,
  expectSums,
  openDashboard,
  openForm,
  waitForNews,
} from '../people/money-forms.ts';
import { newEmail } from '../people/people.ts';
import { approve, drawer, expectOneWins, fillArrived, openItem, queueRow, reject } from '../people/queue.ts';
import { typeCode } from '../people/screens.ts';
import { newPayment } from '../people/wallets.ts';

const codeMs = 30_000;

test('the first sign-in sets up an authenticator; then it takes a code that nobody has used', async ({
  page,
  server,
  complaints,
}) => {
  const operator = { email: newEmail(), name: 'Ada Finch', password: 'three hands on one key' };
  await server.createOperator(operator);
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  const fillIn = async () => {
    await page.getByLabel('Email').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(operator.password);
  };
  const queue = page.getByRole('heading', { level: 1, name: 'Queue' });

  await page.goto('/operator/login');
  await fillIn();
  await signIn.click();
  await expect(page.getByRole('heading', { name: 'Set up your authenticator' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = await page.getByText(/^[A-Z2-7]{32}$/).textContent();
  const begunAt = Date.now();
  const codeAfter = (ms: number) => totpAt(secret ?? '', new Date(begunAt + ms));
  await typeCode(page, codeAfter(0));
  await signIn.click();
  await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeVisible();
  const recoveryCodes = await page.getByRole('main').getByRole('listitem').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(queue).toBeVisible();

  await page.getByRole('button', { name: /^Ada Finch/ }).click();
  await page.getByRole('dialog', { name: 'Account' }).getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/operator/login');
  complaints.announceStatus(401);
  await fillIn();
  await typeCode(page, codeAfter(0));
  await signIn.click();
  await expect(page.getByRole('alert')).toContainText('it was used already');
  await typeCode(page, codeAfter(codeMs));
  await signIn.click();
  await expect(queue).toBeVisible();

  // Whoever has lost the phone comes in with a recovery code, and to the screen they wanted.
  await page.context().clearCookies();
  await page.goto('/operator/books');
  await expect(page).toHaveURL('/operator/login?next=%2Foperator%2Fbooks');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await fillIn();
  await page.getByLabel('Recovery code').fill(recoveryCodes[3] ?? '');
  await signIn.click();
  await expect(page).toHaveURL('/operator/books');
  await page.getByRole('button', { name: /^Ada Finch/ }).click();
  await expect(page.getByRole('dialog', { name: 'Account' })).toContainText('9 recovery codes are left.');
});

test('two operators on one deposit: one credits it, the other is told who did', async ({
  openConsole,
  operators,
  wallets,
  complaints,
}) => {
  const owner = await wallets.owner();
  const { transactionid } = await wallets.announce(owner, 75_25n);
  const consoles = [await openConsole('first'), await openConsole('second')] as const;
  for (const console of consoles) {
    const dialog = await openItem(console, transactionid, 'Review');
    await fillArrived(dialog, { amount: '75.25', payment: newPayment() });
    await expect(dialog).toContainText('Bitcoin, +$75.25');
  }
  complaints.announceStatus(409);
  complaints.announce(/ApiRefusal: This request was confirmed already/);
  const names = [(await operators.first()).name, (await operators.second()).name] as const;
  await expectOneWins(consoles, names, /^Confirm \$/);
  for (const console of consoles) await expect(queueRow(console, transactionid)).toHaveCount(0);
  expect(await wallets.sums(owner)).toMatchObject({ available: 75.25, entries: 1 });
});

test('a large withdrawal takes two operators and is paid once; a rejected one comes back to the cent', async ({
  page,
  server,
  openConsole,
  operators,
  wallets,
  complaints,
}) => {
  const owner = await wallets.owner({ cents: 9_000_00n });
  const { transactionid: large } = await wallets.askForWithdrawal(owner, 5_000_01n);
  const { transactionid: small } = await wallets.askForWithdrawal(owner, 654_32n);
  await openDashboard(page, owner, server.url);
  await expectSums(page, { available: '$3,345.67', withdrawing: '$5,654.33', together: '$9,000.00' });

  const consoles = [await openConsole('first'), await openConsole('second')] as const;
  const [first, second] = consoles;
  const names = [(await operators.first()).name, (await operators.second()).name] as const;
  await approve(first, large);
  await expect(first.getByText(`Your approval of ${large} is noted.`)).toBeVisible();
  await expect(queueRow(first, large)).toContainText('You approved this. It needs a second operator.');
  await expect(queueRow(first, large).getByRole('button', { name: 'Approve' })).toBeDisabled();
  await waitForNews(second);
  await expect(queueRow(second, large)).toContainText(`1 of 2${names[0]}`);
  await approve(second, large);
  await expect(second.getByText(`Withdrawal ${large} approved`)).toBeVisible();

  await waitForNews(first);
  for (const console of consoles) {
    const dialog = await openItem(console, large, 'Mark paid');
    await dialog.getByLabel('Transaction ID on the network').fill(newPayment());
  }
  complaints.announceStatus(409);
  complaints.announce(/ApiRefusal: This withdrawal was paid already/);
  await expectOneWins(consoles, names, /^Mark \$5,000\.01 paid$/);
  await waitForNews(page);
  await expectSums(page, { available: '$3,345.67', withdrawing: '$654.32', together: '$3,999.99' });

  await reject(second, small, 'The investor asked us to');
  await waitForNews(page);
  await expectSums(page, { available: '$3,999.99', together: '$3,999.99' });
  await expectEntries(page, [
    ['Withdrawal Returned', '+$654.32'],
    ['Withdrawal', '−$654.32'],
    ['Withdrawal', '−$5,000.01'],
    ['Bitcoin', '+$9,000.00'],
  ]);
  await page.goto('/transaction?requests=withdrawals');
  const requests = page.getByRole('region', { name: 'Requests' });
  await expect(requests).toContainText('You asked us not to pay this withdrawal.');
});

test('the queue goes by keyboard: j, k, Enter, c, r', async ({ openConsole, wallets }) => {
  const owner = await wallets.owner();
  const { transactionid } = await wallets.announce(owner, 10_00n);
  const console = await openConsole('first', '/operator?show=deposits');
  const rows = console.locator('[data-queue-row]');
  const own = queueRow(console, transactionid);
  await expect(own).toBeVisible();
  const last = (await rows.count()) - 1;
  const { keyboard } = console;

  for (let at = 0; at <= last; at += 1) {
    await keyboard.press('j');
    await expect(rows.nth(at)).toBeFocused();
  }
  await expect(own).toBeFocused();
  await keyboard.press('k');
  await expect(rows.nth(last - 1)).toBeFocused();
  await keyboard.press('j');
  for (const [key, title] of [
    ['Enter', 'Review deposit'],
    ['c', 'Review deposit'],
    ['r', 'Reject deposit'],
  ] as const) {
    await keyboard.press(key);
    await expect(console.getByRole('dialog', { name: title })).toContainText(transactionid);
    await keyboard.press('Escape');
    await expect(drawer(console)).toHaveCount(0);
    await expect(own).toBeFocused();
  }
  await keyboard.press('r');
  await drawer(console).getByRole('radio', { name: 'Asked for twice' }).focus();
  await keyboard.press('Space');
  await keyboard.press('Tab');
  await expect(drawer(console).getByLabel('Message to the investor')).toBeFocused();
  await drawer(console).getByRole('button', { name: 'Reject deposit' }).press('Enter');
  await expect(own).toHaveCount(0);
  await expect(rows.nth(last - 1)).toBeFocused();
});

test('a payment address changes when the second operator agrees; the investor is shown the new one, and everybody what it has signed', async ({
  page,
  server,
  openConsole,
  wallets,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  const address = evmWallet.address.toLowerCase();
  const first = await openConsole('first', '/operator/methods');
  const second = await openConsole('second');
  await first.getByRole('button', { name: 'Change address of BnB' }).click();
  const dialog = first.getByRole('dialog', { name: 'Change the BnB address' });
  await dialog.getByLabel('New address').fill(address);
  await dialog.getByRole('button', { name: 'Ask for this address' }).click();
  await expect(dialog).toBeHidden();
  await expect(first.getByRole('button', { name: 'Confirm the BnB address' })).toBeDisabled();

  await openDashboard(page, await wallets.owner(), server.url);
  const before = await openForm(page, 'fund');
  await choose(page, before, 'BnB');
  await expect(before).not.toContainText(address);
  await before.getByRole('button', { name: 'Close' }).click();

  await waitForNews(second);
  const change = await openItem(second, 'New address for BnB', 'Confirm');
  await expect(change).toContainText(address);
  await change.getByRole('button', { name: 'Confirm' }).click();
  await expect(queueRow(second, 'New address for BnB')).toHaveCount(0);
  const after = await openForm(page, 'fund');
  await choose(page, after, 'BnB');
  await expect(after).toContainText(address);

  await waitForNews(first);
  complaints.announceStatus(422);
  complaints.announce(/ApiRefusal: This signature is not one of this message/);
  const looks = { expectAccessible, expectReadable };
  const message = `tallystick address/v1: bnb ${evmWallet.address} belongs to ${new URL(server.url).host}/log`;
  await enterSignature(first, message, looks);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await findSignature(page, message, looks);
});

/** By keyboard alone: the message, a signature of something else, and the right one. */
async function enterSignature(console: Page, message: string, looks: Looks): Promise<void> {
  const signature = evmWallet.sign(message);
  await console.getByRole('button', { name: 'Not signed yet by the BnB address' }).press('Enter');
  const signing = console.getByRole('dialog', { name: 'Sign the BnB address' });
  await expect(signing).toContainText(message);
  await expect(signing.getByLabel('Signature')).toBeFocused();
  await console.keyboard.type(evmWallet.sign(message.replace('bnb', 'ethereum')));
  await console.keyboard.press('Tab');
  await console.keyboard.press('Enter');
  await expect(signing).toContainText('This signature is not one of this message by this address.');
  await expect(signing.getByLabel('Signature')).toBeFocused();
  await lookInBothThemes(console, looks);
  await signing.getByLabel('Signature').fill(signature);
  await signing.getByRole('button', { name: 'Check and publish' }).press('Enter');
  await expect(signing).toBeHidden();
  await console.getByRole('button', { name: /^Signed .* by the BnB address$/ }).press('Enter');
  const signed = console.getByRole('dialog', { name: 'Signature of the BnB address' });
  await expect(signed).toContainText(signature);
  await lookInBothThemes(console, looks);
}

async function findSignature(page: Page, message: string, looks: Looks): Promise<void> {
  const signature = evmWallet.sign(message);
  const addresses = page.locator('#addresses').getByRole('listitem');
  const shown = addresses.filter({ hasText: 'BNB Smart Chain' });
  // The log is signed a moment later.
  await expect(async () => {
    await page.goto('/proof');
    await expect(shown).toContainText('With a signature by this address', { timeout: 2_000 });
  }).toPass();
  await shown.getByText('Message and signature', { exact: true }).press('Enter');
  await expect(shown).toContainText(message);
  await expect(shown).toContainText(signature);
  await shown.getByRole('button', { name: 'Copy signature' }).press('Enter');
  await expect(shown.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(signature);
  await lookInBothThemes(page, looks);
}
