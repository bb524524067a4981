import { expect, test } from '../../fixtures.ts';
import { openDemoDashboard } from '../../people/money-forms.ts';

test('the file of a list holds what the list shows', async ({ page, server }) => {
  await openDemoDashboard(page, server.url);
  await page.goto('/transaction?search=profit');
  const link = page.getByRole('link', { name: 'Export CSV' });
  await expect(link).toHaveAttribute('href', '/api/funding/fetchbalance/export.csv?search=profit');
  const started = page.waitForEvent('download');
  await link.click();
  const stream = await (await started).createReadStream();
  const lines = Buffer.concat(await stream.toArray())
    .toString()
    .trim()
    .split('\r\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(1)) expect(line.split(',')[1]).toBe('Profit');
  await page.goto('/investment?status=completed');
  await expect(link).toHaveAttribute('href', /export\.csv\?status=completed$/);
});
