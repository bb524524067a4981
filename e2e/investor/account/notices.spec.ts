import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, goOnTo, lookInBothThemes } from '../../looking/looking.ts';
import { openDashboard, waitForNews } from '../../people/money-forms.ts';

const list = (page: Page) => page.getByRole('region', { name: 'What happened' });
const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Notices/ });

test('what happened is counted at the bell, read on its screen, and its letters are a choice', async ({
  page,
  server,
  wallets,
  isMobile,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const owner = await wallets.owner();
  await openDashboard(page, owner, server.url);
  await expect(bell(page)).toHaveAccessibleName('Notices');
  await goOnTo(page, '/notices');
  await expect(list(page)).toContainText('Nothing has happened yet');
  await lookInBothThemes(page, looks);

  // By keyboard: without letters about deposits.
  const letters = page.getByRole('switch', { name: 'Letters about deposits' });
  await expect(page.getByRole('switch')).toHaveCount(2);
  await letters.focus();
  await page.keyboard.press('Space');
  await expect(letters).not.toBeChecked();

  await goOnTo(page, '/dashboard');
  await wallets.announce(owner, 100_00n);
  await wallets.announce(owner, 250_00n);
  await waitForNews(page);
  await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread');
  await bell(page).click();
  await expect(page).toHaveURL('/notices');
  const rows = list(page).getByRole('listitem');
  await expect(rows).toHaveText([
    /^Unread\. We noted your deposit of \$250\.00 in BitcoinNothing is credited before/,
    /^Unread\. We noted your deposit of \$100\.00/,
  ]);
  await expect(list(page).getByRole('heading', { name: 'Today' })).toBeVisible();
  // Read by being seen: the bell is silent, and what was new stays marked at this visit.
  await expect(bell(page)).toHaveAccessibleName('Notices');
  await waitForNews(page);
  await expect(rows.first()).toContainText('Unread.');
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);
  await list(page).getByRole('button', { name: 'Mark all as read' }).click();
  await expect(rows.first()).not.toContainText('Unread.');
  await expect(list(page).getByRole('heading', { name: 'What happened' })).toBeFocused();
  await expect(list(page).getByRole('status')).toHaveText('All are marked as read.');
  await rows.first().getByRole('link').click();
  await expect(page).toHaveURL('/transaction');

  const console = await openConsole('first', `/operator/investors/${owner.session._id}`);
  const told = console.getByRole('region', { name: 'Told' });
  await expect(told).toContainText(
    /Wants no letters about deposits since \d+ \w+ \d+\. All others are sent\./,
  );
  await expect(told.getByRole('listitem').first()).toContainText('We noted your deposit of $250.00');
  await lookInBothThemes(console, looks);
});
