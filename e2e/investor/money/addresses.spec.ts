import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, goOnTo, lookInBothThemes } from '../../looking/looking.ts';
import type { Mailbox } from '../../people/mailbox.ts';
import { choose, closeSuccess, openDashboard, openForm, waitForNews } from '../../people/money-forms.ts';
import { newBitcoinAddress } from '../../people/wallets.ts';

const list = (page: Page) => page.getByRole('region', { name: 'Saved addresses' });
const protection = (page: Page) => page.getByRole('region', { name: 'Protected addresses' });

async function add(page: Page, label: string, address: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add an address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an address' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill(label);
  await choose(page, dialog, 'Bitcoin');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address);
  await dialog.getByRole('button', { name: 'Save address' }).click();
  return dialog;
}

/** The form, filled in but for the address; one of those that are offered is chosen. */
async function fillWithdrawal(page: Page, name: string): Promise<Locator> {
  const form = await openForm(page, 'withdraw');
  await choose(page, form, 'Bitcoin');
  await form.getByLabel('Amount').fill('20');
  await form.getByRole('combobox', { name: 'Send to' }).click();
  await page.getByRole('option', { name }).click();
  return form;
}

/** One that was typed is offered to be saved once it was used. */
async function withdrawAndSave(page: Page, label: string): Promise<void> {
  const form = await fillWithdrawal(page, 'Another address');
  await form.getByLabel('Bitcoin address').fill(newBitcoinAddress());
  await form.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await page.getByRole('button', { name: 'Save this address' }).click();
  await page.getByLabel('Name of the address').fill(label);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`Saved as ${label}.`)).toBeVisible();
  await closeWith(page.getByRole('dialog', { name: 'Withdrawal requested' }));
}

async function closeWith(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
}

/** Follows the mailed link in another tab; the question goes away by itself. */
async function confirmByMail(page: Page, email: string, mailbox: Mailbox): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(question).toContainText('We have sent you a link');
  const { text } = await mailbox.letter(email, 'Confirm that it is you');
  const tab = await page.context().newPage();
  await tab.goto(`/security#stepup=${/#stepup=(\S+)/.exec(text)?.[1]}`);
  await tab.getByRole('button', { name: 'Yes, it is me' }).click();
  await expect(tab.getByRole('status').filter({ hasText: 'It is confirmed' })).toBeVisible();
  await tab.close();
  await waitForNews(page);
  await expect(question).toBeHidden();
}

const stops = [
  ['new address was saved', 'Take this address away', 'The address was taken away'],
  ['about to end', 'Keep my addresses protected', 'Your addresses stay protected'],
] as const;

test('an address is saved, withdrawn to by its name, renamed and removed', async ({
  page,
  server,
  wallets,
  complaints,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const mine = newBitcoinAddress();
  await openDashboard(page, await wallets.owner({ cents: 500_00n }), server.url);
  await goOnTo(page, isMobile ? '/mobilesettings' : '/profile');
  await page.getByRole('link', { name: 'Addresses' }).click();
  await expect(page.getByText('No address is saved yet')).toBeVisible();
  await lookInBothThemes(page, looks);
  complaints.announceStatus(422);
  const adding = await add(page, 'Cold wallet', 'bc1qnothing');
  const typed = adding.getByRole('textbox', { name: 'Address' });
  await expect(typed).toHaveAttribute('aria-invalid', 'true');
  await lookInBothThemes(page, looks);
  await typed.fill(mine);
  await adding.getByRole('button', { name: 'Save address' }).click();
  const rows = list(page).getByRole('listitem');
  await expect(rows).toContainText('not paid to yet');
  await rows.getByRole('button', { name: 'Rename Cold wallet' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Vault');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(rows).toContainText('Vault');

  await goOnTo(page, '/dashboard');
  const form = await fillWithdrawal(page, 'Vault');
  await expect(form).toContainText(mine);
  await lookInBothThemes(page, looks);
  await form.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal requested' })).toContainText(mine);
  await expect(page.getByRole('button', { name: 'Save this address' })).toHaveCount(0);
  await closeSuccess(page, 'Withdrawal requested');
  await withdrawAndSave(page, 'Desk');

  await goOnTo(page, '/addresses');
  await expect(rows).toHaveCount(2);
  await rows.getByRole('button', { name: 'Remove Desk' }).click();
  await page.getByRole('dialog', { name: 'Remove Desk?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(1);
});

test('protected, a typed address is refused; a new one waits a day, and its letter stops it', async ({
  page,
  server,
  wallets,
  mailbox,
  complaints,
  openBrowser,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const owner = await wallets.owner({ cents: 500_00n });
  const { email } = owner.person;
  const thiefs = newBitcoinAddress();
  await openDashboard(page, owner, server.url);
  await goOnTo(page, '/addresses');
  await protection(page).getByRole('button', { name: 'Protect my addresses' }).click();
  await expect(protection(page)).toContainText('On since');
  // The same button goes on to say how it is undone, and whoever pressed it with the keyboard is still there.
  await expect(protection(page).getByRole('button', { name: 'Switch off' })).toBeFocused();
  await mailbox.letter(email, 'are protected');
  // The call itself refuses what the form does not offer any more.
  expect(await wallets.askForWithdrawal(owner, 20_00n, { to: thiefs }).catch(String)).toContain(
    'address_not_saved',
  );
  complaints.announceStatus(403);
  await add(page, 'New phone', thiefs);
  await confirmByMail(page, email, mailbox);
  const row = list(page).getByRole('listitem').filter({ hasText: 'New phone' });
  await expect(row).toContainText('Can be used from');

  await goOnTo(page, '/dashboard');
  const form = await openForm(page, 'withdraw');
  await choose(page, form, 'Bitcoin');
  await expect(form).toContainText('New phone is new: it can be used from');
  await lookInBothThemes(page, looks);
  // Where the link leads, the form is out of the way.
  await form.getByRole('link', { name: 'Addresses' }).click();
  await expect(page).toHaveURL('/addresses');
  await expect(form).toBeHidden();

  await protection(page).getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(protection(page)).toContainText('It ends');
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);

  // In a browser that nobody is signed in with.
  const out = await openBrowser();
  for (const [subject, button, done] of stops) {
    const { text } = await mailbox.letter(email, subject);
    const [, hash = ''] = /\/stopchange(#\S+)/.exec(text) ?? [];
    await out.goto('about:blank');
    await out.goto(`${server.url}/stopchange${hash}`);
    await expect(out).toHaveURL(`${server.url}/stopchange`);
    await lookInBothThemes(out, looks);
    await out.getByRole('button', { name: button }).click();
    await expect(out.getByRole('heading', { level: 1 })).toHaveText(done);
    await expect(out.getByRole('status')).toBeFocused();
  }
  await waitForNews(page);
  await expect(row).toHaveCount(0);
  await expect(protection(page)).toContainText('On since');
});
