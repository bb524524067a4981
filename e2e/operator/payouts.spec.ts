import type { Page } from '@playwright/test';
import { approvewithdrawal, queue } from '@tallystick/contract/operator/queue';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, type Looks, lookInBothThemes } from '../looking/looking.ts';
import { choose, closeSuccess, openDashboard, openForm, waitForNews } from '../people/money-forms.ts';
import type { Operators } from '../people/operators.ts';
import { drawer, markPaid } from '../people/queue.ts';

const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting' });

/** To an exchange, where a tag says whose account it is. */
async function askForRipple(page: Page, looks: Looks): Promise<string> {
  const dialog = await openForm(page, 'withdraw');
  await choose(page, dialog, 'Ripple');
  await dialog.getByLabel('Amount').fill('200');
  await dialog.getByLabel('Ripple address').fill(address);
  await dialog.getByLabel('Destination tag').fill('seven');
  await dialog.getByRole('button', { name: 'Withdraw $200.00' }).click();
  await expect(dialog).toContainText('A destination tag is a number.');
  await dialog.getByLabel('Destination tag').fill('104729');
  await expect(dialog).toContainText('Exchanges need it.');
  await lookInBothThemes(page, looks);
  await dialog.getByRole('button', { name: 'Withdraw $200.00' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal requested' })).toContainText('104729');
  const transactionid = await closeSuccess(page, 'Withdrawal requested');
  await expect(waiting(page)).toContainText('tag 104729');
  return transactionid;
}

async function approveIt(operators: Operators, transactionid: string): Promise<void> {
  const first = await operators.first();
  const { withdrawals } = await first.press(queue, {});
  const id = withdrawals.find((each) => each.transactionid === transactionid)?._id ?? '';
  await first.press(approvewithdrawal, { params: { id } });
}

async function makeSheet(console: Page, transactionid: string, looks: Looks): Promise<void> {
  const payable = console.getByRole('region', { name: 'To be paid on XRP Ledger' });
  await expect(payable.getByRole('button', { name: 'Make a sheet' })).toBeDisabled();
  await payable.getByLabel(transactionid).check();
  await expect(payable).toContainText('1 withdrawal chosen$200.00about ');
  await lookInBothThemes(console, looks);
  await expectNoSidewaysScroll(console);
  await payable.getByRole('button', { name: 'Make a sheet' }).click();
  await expect(console.getByRole('heading', { level: 1 })).toHaveText(/^Sheet \d+$/);
  await expect(
    console.getByRole('heading', { name: /^Nobody has claimed it. It expires in (29|30):\d\d$/ }),
  ).toBeVisible();
  await expect(console.getByRole('button', { name: /^QR code/ })).toHaveCount(0);
}

/** What a wallet needs is there, and nobody is paid by looking at it. */
async function seeTheCode(console: Page, transactionid: string, looks: Looks): Promise<void> {
  await console.getByRole('button', { name: 'Claim it' }).click();
  await expect(console.getByRole('heading', { name: /^You claimed it/ })).toBeVisible();
  await expect(console.getByRole('region', { name: 'Where it stands' })).toContainText('is not read here');
  await lookInBothThemes(console, looks);
  await expectNoSidewaysScroll(console);
  await console.getByRole('button', { name: `QR code for ${transactionid}` }).click();
  await expect(drawer(console)).toContainText('104729');
  await expect(drawer(console).getByRole('img', { name: new RegExp(`to ${address}$`) })).toBeVisible();
  await expect(drawer(console).getByRole('link', { name: 'Open in a wallet' })).toHaveAttribute(
    'href',
    new RegExp(`^xrp:${address}\\?.*dt=104729`),
  );
  await lookInBothThemes(console, looks);
  await console.keyboard.press('Escape');
  const href = await console.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const csv = await (await console.request.get(href ?? '')).text();
  for (const part of [transactionid, address, '104729', 'xrp']) expect(csv).toContain(part);
}

/** One alone cannot say that nothing was sent; the other may keep it as it is. */
async function releaseAndKeep(first: Page, second: Page): Promise<void> {
  await first.getByRole('button', { name: 'Release' }).click();
  await drawer(first).getByLabel('Reason').fill('The wallet was out of reach.');
  await drawer(first)
    .getByRole('button', { name: /^Release sheet/ })
    .click();
  await expect(first.getByText('You say that it was not paid. It needs a second operator.')).toBeVisible();
  await expect(first.getByRole('button', { name: 'Release it, too' })).toBeDisabled();
  await second.goto(new URL(first.url()).pathname);
  await expect(second.getByText('The wallet was out of reach.')).toBeVisible();
  await expect(second.getByRole('button', { name: 'Release it, too' })).toBeEnabled();
  await second.getByRole('button', { name: 'Keep the sheet' }).click();
  await expect(second.getByText('The wallet was out of reach.')).toHaveCount(0);
}

test('a withdrawal with a tag goes by a sheet: made, claimed, paid by hand where nobody reads its network', async ({
  page,
  server,
  operators,
  wallets,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  await openDashboard(page, await wallets.owner({ cents: 300_00n }), server.url);
  const transactionid = await askForRipple(page, looks);
  await approveIt(operators, transactionid);

  const [first, second] = [await openConsole('first', '/operator/payouts'), await openConsole('second')];
  await makeSheet(first, transactionid, looks);
  await waitForNews(page);
  await expect(waiting(page)).toContainText(/To be sent: [\d.,]+ XRP, at \$/);
  await seeTheCode(first, transactionid, looks);
  await releaseAndKeep(first, second);

  await second.goto('/operator');
  await markPaid(second, transactionid, 'E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879');
  await waitForNews(first);
  await expect(first.getByRole('heading', { name: 'It is paid' })).toBeVisible();
  await first.getByRole('link', { name: 'Payouts' }).first().click();
  await expect(first.getByRole('region', { name: 'Ended sheets' })).toContainText('$200.00');

  await page.goto('/transaction?requests=withdrawals');
  const requests = page.getByRole('region', { name: 'Requests' });
  await expect(requests).toContainText(/Sent: [\d.,]+ XRP, at \$/);
  await expect(requests).toContainText('Tag 104729');
  await expect(requests.getByRole('link', { name: 'livenet.xrpl.org' })).toBeVisible();
});

test('a sheet that is not there, and one that somebody discards', async ({
  openConsole,
  operators,
  wallets,
  complaints,
}) => {
  const console = await openConsole('first', '/operator/payouts');
  complaints.announceStatus(404);
  complaints.tolerate(/Error fetching a payout sheet/);
  await console.goto('/operator/payouts/00000000-0000-4000-8000-000000000000');
  await expect(console.getByText('No sheet has this id')).toBeVisible();

  const owner = await wallets.owner({ cents: 100_00n });
  const to = '0xde709f2102306220921060314715629080e2fb77';
  const { transactionid } = await wallets.askForWithdrawal(owner, 50_00n, { on: 'ethereum', to });
  await approveIt(operators, transactionid);
  await console.goto('/operator/payouts');
  const payable = console.getByRole('region', { name: 'To be paid on Ethereum' });
  await payable.getByLabel(transactionid).check();
  await payable.getByRole('button', { name: 'Make a sheet' }).click();
  await console.getByRole('button', { name: 'Discard' }).click();
  await expect(console.getByRole('heading', { level: 1 })).toHaveText('Payouts');
  await expect(payable.getByLabel(transactionid)).toBeEnabled();
});
