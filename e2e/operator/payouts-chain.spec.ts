import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Transaction } from '@scure/btc-signer';
import { approvewithdrawal } from '@tallystick/contract/operator/queue';
import { expect } from '../fixtures.ts';
import { type Looks, lookInBothThemes } from '../looking/looking.ts';
import { openDashboard, waitForNews } from '../people/money-forms.ts';
import { openItem, queueRow } from '../people/queue.ts';
import { newBitcoinAddress, newPayment } from '../people/wallets.ts';
import { deriveAddresses, expectSoon, master, soon, test } from '../servers/chain.ts';

/** As a hardware wallet does: it finds its keys by their paths, and signs. */
function sign(psbt: Uint8Array): string {
  const transaction = Transaction.fromPSBT(psbt);
  transaction.sign(master as Parameters<Transaction['sign']>[0]);
  transaction.finalize();
  return transaction.hex;
}

/** Still for whoever wants less motion, as all browsers here do; it moves when asked to, and stops again. */
async function turnCodes(console: Page, looks: Looks): Promise<void> {
  await console.getByRole('button', { name: 'Show as QR code' }).click();
  const code = (part: number) =>
    console.getByRole('img', { name: new RegExp(`unsigned transaction, part ${part} of [1-9]`) });
  await expect(code(1)).toBeVisible();
  await console.getByRole('button', { name: 'Next part' }).click();
  await expect(code(2)).toBeVisible();
  await lookInBothThemes(console, looks);
  await console.getByRole('button', { name: 'Play' }).click();
  await expect(code(2)).toHaveCount(0);
  await console.getByRole('button', { name: 'Pause' }).click();
  await expect(console.getByRole('button', { name: 'Next part' })).toBeVisible();
}

test('two withdrawals are paid by one file that a wallet signs, and marked as paid by the chain itself', async ({
  page,
  node,
  server,
  operators,
  wallets,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  await deriveAddresses(operators);
  const owner = await wallets.owner();
  // Many small coins, and nearly all that they are worth, whatever other journeys have left: too long for one code.
  const address = await wallets.payTo(owner, 'Bitcoin');
  for (let n = 0; n < 20; n++) await node.send({ address, units: 250_000n });
  await node.mine(2);
  await expect.poll(async () => (await wallets.sums(owner)).available).toBe(3500);
  const asked = [
    await wallets.askForWithdrawal(owner, 1_000_00n, { to: newBitcoinAddress('bcrt') }),
    await wallets.askForWithdrawal(owner, 2_400_00n, { to: newBitcoinAddress('bcrt') }),
  ];
  const approvers = [await operators.first(), await operators.second()];
  for (const [n, { _id: id }] of asked.entries())
    await approvers[n]?.press(approvewithdrawal, { params: { id } });

  const console = await openConsole('second', '/operator/payouts');
  const payable = console.getByRole('region', { name: 'To be paid on Bitcoin' });
  for (const { transactionid } of asked) await payable.getByLabel(transactionid).check();
  await expect(payable).toContainText('$3,400.00');
  await payable.getByRole('button', { name: 'Make a sheet' }).click();
  await expect(payable).toContainText('Enter a fee rate, like 12 or 12.5.');
  await payable.getByLabel('Fee rate').fill('5');
  await payable.getByRole('button', { name: 'Make a sheet' }).click();
  await expect(console.getByRole('heading', { level: 1 })).toHaveText(/^Sheet \d+$/);
  await expect(console.getByRole('link', { name: 'Save the PSBT' })).toHaveCount(0);
  await console.getByRole('button', { name: 'Claim it' }).click();

  await turnCodes(console, { expectAccessible, expectReadable });

  const download = console.waitForEvent('download');
  await console.getByRole('link', { name: 'Save the PSBT' }).click();
  const file = await (await download).path();
  await node.broadcast(sign(await readFile(file)));
  await node.mine();
  const standing = console.getByRole('status').filter({ hasText: 'Seen, 1 of 2' });
  await expectSoon(console, () => expect(standing).toBeVisible(soon));
  await openDashboard(page, owner, server.url);
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting).toContainText('To be sent: 0.01428561 BTC, at $70,000.50 for 1 BTC');
  await node.mine();
  await expectSoon(console, () => expect(console.getByText('It is paid')).toBeVisible(soon));
  const items = console.getByRole('region', { name: 'Withdrawals' }).getByRole('listitem');
  for (const { transactionid } of asked) {
    await expect(items.filter({ hasText: transactionid })).toContainText('Paid');
  }

  await waitForNews(page);
  await expect(waiting).toHaveCount(0);
  await page.goto('/transaction?requests=withdrawals');
  const requests = page.getByRole('region', { name: 'Requests' });
  await expect(requests).toContainText('Sent: 0.01428561 BTC, at $70,000.50 for 1 BTC');
  expect(await wallets.sums(owner)).toMatchObject({ available: 100, withdrawing: 0 });
});

test('where the chain is read, one operator alone cannot say that a withdrawal was paid', async ({
  operators,
  wallets,
  openConsole,
}) => {
  const owner = await wallets.owner({ cents: 400_00n });
  const asked = { to: newBitcoinAddress('bcrt') };
  const { _id: id, transactionid } = await wallets.askForWithdrawal(owner, 70_00n, asked);
  await (await operators.first()).press(approvewithdrawal, { params: { id } });

  const first = await openConsole('first', '/operator?show=withdrawals');
  const dialog = await openItem(first, transactionid, 'Mark paid');
  await expect(dialog).toContainText('What it does not show takes a second operator.');
  await dialog.getByLabel('Transaction ID on the network').fill(newPayment());
  await dialog.getByRole('button', { name: 'Mark $70.00 paid' }).click();
  await expect(queueRow(first, transactionid)).toContainText('Waits for a second operator: you said');
  await expect(queueRow(first, transactionid).getByRole('button', { name: 'Agree' })).toBeDisabled();
  expect(await wallets.sums(owner)).toMatchObject({ withdrawing: 70 });

  // Whoever comes second may drop it, or say the same.
  const second = await openConsole('second', '/operator?show=second');
  const dropping = await openItem(second, transactionid, 'Drop');
  await dropping.getByRole('button', { name: 'Drop' }).click();
  await expect(dropping).toBeHidden();
  await waitForNews(first);
  const again = await openItem(first, transactionid, 'Mark paid');
  await again.getByLabel('Transaction ID on the network').fill(newPayment());
  await again.getByRole('button', { name: 'Mark $70.00 paid' }).click();
  await expect(again).toBeHidden();
  await waitForNews(second);
  const agreeing = await openItem(second, transactionid, 'Agree');
  await expect(agreeing).toContainText('Its network does not show this payment.');
  await agreeing.getByRole('button', { name: 'Agree $70.00 was paid' }).click();
  await expect(queueRow(second, transactionid)).toHaveCount(0);
  expect(await wallets.sums(owner)).toMatchObject({ available: 330, withdrawing: 0 });
});
