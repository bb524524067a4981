import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { writeProofFile } from '@tallystick/verify/proof-file';
import { adasId, sampleProof, witness } from '@tallystick/verify/testing/sample-proof';
import { expect, test } from '../../fixtures.ts';
import type { Complaints } from '../../looking/complaints.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../../looking/looking.ts';

const released = join(import.meta.dirname, '../../../releases/verify.html');
const names = ['chains', 'leaf', 'log', 'consistency', 'witnesses'];

const statesOn = (page: Page) =>
  page
    .locator('[data-step]')
    .evaluateAll((steps) => steps.map((step) => step.className.replace('step ', '')));

/** The page as someone has it on their disk, without any network: it may ask for itself and for nothing else. */
async function openFromDisk(page: Page, complaints: Complaints): Promise<void> {
  await page.context().setOffline(true);
  complaints.announce(/^request to another host: file:.*\/releases\/verify\.html$/);
  await page.goto(pathToFileURL(released).href);
}

const saved = (path: string, change: Partial<ReturnType<typeof sampleProof>> = {}) => {
  writeFileSync(path, writeProofFile({ ...sampleProof(), ...change }));
  return path;
};

test('from disk, without a network and by keys alone, a proof is checked in five steps', async ({
  page,
  complaints,
  expectAccessible,
  expectReadable,
}, testInfo) => {
  await openFromDisk(page, complaints);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  await page.getByLabel('Proof file').setInputFiles(saved(testInfo.outputPath('proof.json')));
  await page.getByLabel('Proof file').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Your e-mail address')).toBeFocused();
  await page.keyboard.type(adasId.toUpperCase());
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'All five hold' })).toBeVisible();
  await expect(page.locator('#found')).toBeFocused();
  expect(await statesOn(page)).toEqual(names.map(() => 'holds'));
  await expect(page.getByText('to the cent what your own entries say')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
});

test('a break is loud, says what and what to do', async ({
  page,
  complaints,
  expectAccessible,
  expectReadable,
}, testInfo) => {
  await openFromDisk(page, complaints);
  const { liabilities: _, ...whole } = sampleProof();
  const path = saved(testInfo.outputPath('proof.json'), { ...whole, liabilities: null });
  await page.getByLabel('Proof file').setInputFiles(path);
  await page.getByLabel('Your e-mail address').fill(adasId);
  await page.getByRole('button', { name: 'Verify' }).click();

  await expect(page.getByRole('alert').filter({ hasText: 'One part of this proof is broken' })).toBeVisible();
  expect(await statesOn(page)).toEqual(['holds', 'broken', 'holds', 'holds', 'holds']);
  await expect(page.getByText('Statement 3 leaves you out.')).toBeVisible();
  await lookInBothThemes(page, { expectAccessible, expectReadable });

  // What was found belongs to what was checked: another address begins anew.
  await page.getByLabel('Your e-mail address').fill('bob@example.org');
  await expect(page.locator('#found')).toBeHidden();
});

test('what is no proof, no address or no key is said where it was typed', async ({
  page,
  complaints,
}, testInfo) => {
  await openFromDisk(page, complaints);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Choose the file that was saved.')).toBeVisible();
  await expect(page.getByText('Type the address that you sign in with.')).toBeVisible();
  await expect(page.getByLabel('Proof file')).toBeFocused();

  // More than a browser reads; written as a hole, so that it takes no room.
  const large = testInfo.outputPath('large.json');
  writeFileSync(large, '{');
  truncateSync(large, 2_500_000_000);
  const refused = [
    [large, 'This file is too large to be a proof or an account statement'],
    [testInfo.outputPath('picture.png'), 'This file is neither a proof nor an account statement.'],
    [testInfo.outputPath('nothing.json'), 'This file is empty.'],
  ] as const;
  writeFileSync(refused[1][0], 'PNG');
  writeFileSync(refused[2][0], '');
  for (const [path, words] of refused) {
    await page.getByLabel('Proof file').setInputFiles(path);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByLabel('Proof file')).toBeFocused();
  }
  rmSync(large);

  const other = testInfo.outputPath('other.json');
  writeFileSync(other, '{"format":"something else"}');
  await page.getByLabel('Proof file').setInputFiles(other);
  await page.getByLabel('Your e-mail address').fill(adasId);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('The file is not a proof')).toBeVisible();

  await page.getByLabel('Proof file').setInputFiles(saved(testInfo.outputPath('proof.json')));
  await page.getByText('Keys you have from elsewhere').click();
  await page.getByLabel('Keys of witnesses').fill('no key');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('This is not a verifier key.')).toBeVisible();
  await page.getByLabel('Keys of witnesses').fill(`${witness.vkey}\n`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('heading', { name: 'All five hold' })).toBeVisible();
  await expect(page.getByText('Their keys are those in the file')).toBeHidden();
});

test('the site serves the very file of the releases, with its own policy', async ({ page, server }) => {
  const answer = await page.request.get(`${server.url}/verify.html`);
  expect(await answer.text()).toBe(readFileSync(released, 'utf8'));
  const policy = answer.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'sha256-");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("'self'");
  await page.goto('/verify.html');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Choose the file that was saved.')).toBeVisible();
});
