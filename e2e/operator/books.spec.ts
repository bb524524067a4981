import type { Page } from '@playwright/test';
import { books, enterheld } from '@tallystick/contract/operator/books';
import { createAccountKey } from '../../server/platform/chains/account-key.ts';
import { decimalToUnits, unitsToDecimal } from '../../server/platform/chains/units.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../server/testing/outside/seeds.ts';
import { expect } from '../fixtures.ts';
import { expectNoSidewaysScroll, type Looks, lookInBothThemes } from '../looking/looking.ts';
import { waitForNews } from '../people/money-forms.ts';
import { test } from '../servers/chain.ts';

const account = createAccountKey(publicKeyAt(masterKeyOf(publishedWords), "m/84'/1'/7'", 'vpub'), {
  family: 'bitcoin',
  network: 'regtest',
});
const { address } = account.addressAt(0, 0);
const card = (console: Page, name: string) => console.getByRole('region', { name, exact: true });

/** With the coin that lies there already. One that does not is refused, and why stands in the form. */
async function list(console: Page, coin: string, looks: Looks): Promise<void> {
  await card(console, 'Cold addresses').getByRole('button', { name: 'List an address' }).click();
  const dialog = console.getByRole('dialog', { name: 'List a cold address' });
  await dialog.getByLabel('Name').fill('Vault in the bank');
  await dialog.getByLabel('Address').fill(address);
  const coins = dialog.getByLabel('Coins that lie there already');
  await coins.fill('the first one');
  await dialog.getByRole('button', { name: 'List the address' }).click();
  await expect(dialog).toContainText('Name each coin as transaction id, colon, number of the output.');
  await lookInBothThemes(console, looks);
  await coins.fill(coin);
  await dialog.getByRole('button', { name: 'List the address' }).click();
  await expect(dialog).toHaveCount(0);
}

test('what is held is read from the chain, and a cold address counts once two operators say so', async ({
  openConsole,
  operators,
  node,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const { press } = await operators.first();
  const { held } = await press(books, {});
  // Other journeys may have paid into the house before.
  const [bitcoin] = held.networks;
  const unitsBefore = decimalToUnits(bitcoin?.coins ?? '0', 8) ?? 0n;
  const [before, after] = [0n, 300_000_000n].map((more) => unitsToDecimal(unitsBefore + more, 8));
  const ethereum = held.methods.find(({ coin }) => coin === 'ethereum');
  await press(enterheld, { params: { id: ethereum?.methodid ?? '' }, body: { amount: 1_000 } });
  const txid = await node.send({ address, units: 300_000_000n });
  await node.mine();

  const asking = await openConsole('first', '/operator/books');
  await expect(card(asking, 'Held')).toContainText(`${before} BTC at block`);
  await expect(card(asking, 'Held')).toContainText(/\$1,000\.00Typed \d+ \w+ \d{4}, /);
  await expect(asking.getByRole('button', { name: 'Enter what is held in Bitcoin' })).toHaveCount(0);
  await expect(card(asking, 'Cold addresses')).toContainText('None is listed.');
  await list(asking, `${txid}:0`, looks);
  const proposal = card(asking, 'Waits for a second operator');
  await expect(proposal).toContainText('Cold address Vault in the bank');
  await expect(proposal.getByRole('button', { name: /^Confirm/ })).toBeDisabled();
  await lookInBothThemes(asking, looks);

  const agreeing = await openConsole('second', '/operator/books');
  await expect(card(agreeing, 'Held')).not.toContainText(`${after} BTC`);
  await card(agreeing, 'Waits for a second operator')
    .getByRole('button', { name: /^Confirm/ })
    .click();
  await expect(card(agreeing, 'Held')).toContainText(`${after} BTC at block`);
  const cold = card(agreeing, 'Cold addresses');
  await expect(cold).toContainText('$210,001.50');
  await expect(cold).toContainText('Vault in the bank');
  await expect(cold).toContainText(/Payments from block \d+ on, and 1 coin named before\./);
  await expect(card(agreeing, 'Key figures')).toContainText(/Typed, of what is held\$[\d,]+\.\d\d/);
  await lookInBothThemes(agreeing, looks);
  if (isMobile) await expectNoSidewaysScroll(agreeing);

  await cold.getByRole('button', { name: 'Remove' }).click();
  await expect(cold).toContainText('Waits');
  await expect(card(agreeing, 'Held')).toContainText(`${after} BTC`);
  await card(agreeing, 'Waits for a second operator')
    .getByRole('button', { name: /^Discard/ })
    .click();
  await expect(cold.getByRole('button', { name: 'Remove' })).toBeVisible();

  // With the node away the figure stays, and says so.
  await node.kill();
  await expect(async () => {
    await waitForNews(agreeing);
    await expect(card(agreeing, 'Held')).toContainText('cannot be reached', { timeout: 1_000 });
  }).toPass();
  await expect(card(agreeing, 'Held')).toContainText(`${after} BTC`);
  await lookInBothThemes(agreeing, looks);
  await node.restart();
});
