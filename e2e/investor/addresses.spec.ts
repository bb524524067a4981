import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, goOnTo, lookInBothThemes } from '../looking.ts';
import { choose, closeSuccess, openDashboard, openForm, waitForNews } from '../money-forms.ts';
import { newBitcoinAddress } from '../wallets.ts';

const list = (page: Page) => page.getByRole('region', { name: 'Saved addresses' });
const protection = (page: Page) => page.getByRole('region', { name: 'Protected addresses' });

async function add(page: Page, label: string, address: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add an address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an address' });
  await dialog.getByLabel('Name').fill(label);
  await choose(page, dialog, 'Bitcoin');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address);
  await dialog.getByRole('button', { name: 'Save address' }).click();
  return dialog;
}

async function sendTo(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Send to' }).click();
  await page.getByRole('option', { name }).click();
}

test('an address is saved and withdrawn to; protected, a new one waits and is stopped by its letter', async ({
  page,
  server,
  wallets,
  mailbox,
  complaints,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const owner = await wallets.owner({ cents: 500_00n });
  const { email } = owner.person;
  const [mine, thiefs] = [newBitcoinAddress(), newBitcoinAddress()];
  await openDashboard(page, owner, server.url);
  await goOnTo(page, isMobile ? '/mobilesettings' : '/profile');
  await page.getByRole('link', { name: 'Addresses' }).click();
  await expect(page.getByText('No address is saved yet')).toBeVisible();
  await lookInBothThemes(page, looks);
  complaints.announceStatus(422);
  const adding = await add(page, 'Cold wallet', 'bc1qnothing');
  await expect(adding.getByRole('textbox', { name: 'Address' })).toHaveAttribute('aria-invalid', 'true');
  await lookInBothThemes(page, looks);
  await adding.getByRole('textbox', { name: 'Address' }).fill(mine);
  await adding.getByRole('button', { name: 'Save address' }).click();
  await expect(list(page).getByRole('listitem')).toContainText('not paid to yet');

  await goOnTo(page, '/dashboard');
  let form = await openForm(page, 'withdraw');
  await choose(page, form, 'Bitcoin');
  await form.getByLabel('Amount').fill('20');
  await sendTo(page, form, 'Cold wallet');
  await expect(form).toContainText(mine);
  await lookInBothThemes(page, looks);
  await form.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal requested' })).toContainText(mine);
  await expect(page.getByRole('button', { name: 'Save this address' })).toHaveCount(0);
  await closeSuccess(page, 'Withdrawal requested');

  // A typed address is offered to be saved once it was used.
  form = await openForm(page, 'withdraw');
  await choose(page, form, 'Bitcoin');
  await form.getByLabel('Amount').fill('20');
  await sendTo(page, form, 'Another address');
  await form.getByLabel('Bitcoin address').fill(newBitcoinAddress());
  await form.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await page.getByRole('button', { name: 'Save this address' }).click();
  await page.getByLabel('Name of the address').fill('Desk');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved as Desk.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();

  await goOnTo(page, '/addresses');
  await list(page).getByRole('button', { name: 'Remove Desk' }).click();
  await page.getByRole('dialog', { name: 'Remove Desk?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
  await protection(page).getByRole('button', { name: 'Protect my addresses' }).click();
  await expect(protection(page)).toContainText('On since');
  await mailbox.letter(email, 'are protected');

  // The call itself refuses what the form does not offer any more.
  const typed = await wallets.askForWithdrawal(owner, 20_00n, { to: thiefs }).catch(String);
  expect(typed).toContain('address_not_saved');
  complaints.announceStatus(403);
  await add(page, 'New phone', thiefs);
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(question).toContainText('We have sent you a link');
  const { text } = await mailbox.letter(email, 'Confirm that it is you');
  const tab = await page.context().newPage();
  await tab.goto(`/security#stepup=${/#stepup=(\S+)/.exec(text)?.[1]}`);
  await tab.getByRole('button', { name: 'Yes, it is me' }).click();
  await expect(tab.getByRole('status').filter({ hasText: 'It is confirmed' })).toBeVisible();
  await tab.close();
  await waitForNews(page);
  const row = list(page).getByRole('listitem').filter({ hasText: 'New phone' });
  await expect(row).toContainText('Can be used from');
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);

  await goOnTo(page, '/dashboard');
  form = await openForm(page, 'withdraw');
  await choose(page, form, 'Bitcoin');
  await expect(form).toContainText('New phone is new: it can be used from');
  await form.getByRole('combobox', { name: 'Send to' }).click();
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Close' }).click();

  await goOnTo(page, '/addresses');
  await protection(page).getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(protection(page)).toContainText('It ends');
  await lookInBothThemes(page, looks);

  const stranger = await page.context().browser()?.newContext();
  if (!stranger) throw new Error('no browser');
  await complaints.watch(stranger);
  const out = await stranger.newPage();
  const stops = [
    ['new address was saved', 'Take this address away', 'The address was taken away'],
    ['about to end', 'Keep my addresses protected', 'Your addresses stay protected'],
  ] as const;
  for (const [subject, button, done] of stops) {
    const letter = await mailbox.letter(email, subject);
    const [link = ''] = /https?:\/\/\S+\/stopchange#\S+/.exec(letter.text) ?? [];
    await out.goto('about:blank');
    await out.goto(link.replace(/^https?:\/\/[^/]+/, server.url));
    await expect(out).toHaveURL(`${server.url}/stopchange`);
    await out.getByRole('button', { name: button }).click();
    await expect(out.getByRole('heading', { level: 1 })).toHaveText(done);
  }
  await stranger.close();
  await waitForNews(page);
  await expect(row).toHaveCount(0);
  await expect(protection(page)).toContainText('On since');
});
