import { expect, test } from '../../fixtures.ts';
import { openDashboard } from '../../people/money-forms.ts';

test('a form whose code is on its way says so where it was pressed for', async ({
  page,
  server,
  wallets,
}) => {
  await openDashboard(page, await wallets.owner({}), server.url);
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/fund-modal-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  const button = page
    .getByRole('region', { name: 'Balance', exact: true })
    .getByRole('button', { name: /^Fund( Wallet)?$/ });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  held.resolve();
  await expect(page.getByRole('dialog', { name: 'Fund Wallet' })).toBeVisible();
  await expect(page.locator('button[aria-busy=true]')).toHaveCount(0);
});

test('an answer without its list is a failure, not a wait without end', async ({ page, server, wallets }) => {
  await page.route('**/api/funding/fetchbalance*', (route) => route.fulfill({ json: { page: 1, total: 0 } }));
  await openDashboard(page, await wallets.owner({}), server.url);
  const activity = page.getByRole('region', { name: 'Recent activity' });
  await expect(activity).toContainText('Your entries could not be fetched.');
  await page.unroute('**/api/funding/fetchbalance*');
  await activity.getByRole('button', { name: 'Retry' }).click();
  await expect(activity).toContainText('No entries yet');
});
