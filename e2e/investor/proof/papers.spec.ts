import { readFileSync } from 'node:fs';
import { checkPaper } from '@tallystick/verify/paper';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../../looking/looking.ts';
import { openDemoDashboard } from '../../people/money-forms.ts';

test('a statement is chosen, saved, and found to be what was signed', async ({
  page,
  server,
  expectAccessible,
  expectReadable,
}) => {
  await openDemoDashboard(page, server.url);
  await page.goto('/transaction');
  await page.getByRole('button', { name: 'Statements' }).click();
  const dialog = page.getByRole('dialog', { name: 'Statements' });
  await expect(dialog.getByText('of the three accounts')).toBeVisible();
  await lookInBothThemes(page, { expectAccessible, expectReadable });

  await dialog.getByLabel('Period').selectOption('Days that I choose');
  await dialog.getByLabel('Last day').fill('2999-01-01');
  await expect(dialog.getByText('days that are over')).toBeVisible();
  await dialog.getByLabel('First day').fill('2001-01-01');
  await dialog.getByLabel('Last day').fill('2001-01-31');
  await expect(dialog.getByText('No entries in this period')).toBeVisible();
  await expectNoSidewaysScroll(page);

  await dialog.getByLabel('Period').selectOption({ index: 1 });
  const started = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-01-to-\d{4}-\d\d-\d\d\.pdf$/);
  await expect(dialog.getByRole('status')).toContainText(download.suggestedFilename());
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  const path = await download.path();
  const vkey = (await (await page.request.get('/log/vkey')).text()).trim();
  expect(checkPaper(readFileSync(path), vkey)).toMatchObject({ kind: 'pdf' });

  await page.goto('/verify.html');
  await page.getByLabel('Proof file or statement').setInputFiles(path);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('A statement is checked with the key of the log.')).toBeVisible();
  await page.getByLabel('Key of the log').fill(vkey);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('heading', { name: 'This statement is as it was signed' })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
});
