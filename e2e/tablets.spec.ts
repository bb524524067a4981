import { expect, test } from './fixtures.ts';
import { expectListsInSight, goOnTo } from './looking/looking.ts';
import { openDemoDashboard } from './people/money-forms.ts';

test('on a tablet nothing of an investor’s list lies outside its card', async ({ page, server }) => {
  await openDemoDashboard(page, server.url);
  const title = page.getByRole('heading', { level: 1 });
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expectListsInSight(page);
  await goOnTo(page, '/investment');
  await expect(title).toContainText('Investments');
  await expectListsInSight(page);
  await goOnTo(page, '/transaction');
  await expect(title).toContainText('Transactions');
  const requests = page.getByRole('region', { name: 'Requests' });
  for (const [kind, state] of [
    ['Deposits', 'Added'],
    ['Withdrawals', 'Requested'],
  ] as const) {
    await requests.getByText(kind, { exact: true }).click();
    await expect(requests.getByRole('row').filter({ hasText: state })).not.toHaveCount(0);
    await expectListsInSight(page);
  }
});

/** The screens that list something in a table, by their names. */
const listScreens = {
  '/operator': 'Queue',
  '/operator/investors': 'Investors',
  '/operator/plans': 'Plans',
  '/operator/methods': 'Methods',
  '/operator/audit': 'Audit log',
  '/operator/books': 'Books',
  '/operator/investors?search=amara': 'Investors',
};

test('on a tablet nothing of the console’s lists lies outside its card', async ({ openConsole }) => {
  const console = await openConsole('first');
  const title = console.getByRole('heading', { level: 1 });
  for (const [path, name] of Object.entries(listScreens)) {
    await test.step(path, async () => {
      if (path !== '/operator') await goOnTo(console, path);
      await expect(title).toHaveText(name);
      if (path.includes('search')) {
        const found = console.getByRole('region', { name: 'Investors' }).getByRole('row');
        await expect(found).toHaveCount(2);
        await found.getByRole('link', { name: 'Amara Okonkwo' }).click();
        await expect(title).toHaveText('Amara Okonkwo');
      }
      await expect(console.locator('[aria-busy=true]')).toHaveCount(0);
      const charts = console.getByRole('button', { name: 'Show as table' });
      if (name === 'Books') await expect(charts).not.toHaveCount(0);
      while ((await charts.count()) > 0) await charts.first().click();
      await expectListsInSight(console);
    });
  }
});
