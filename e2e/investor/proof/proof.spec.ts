import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { isWrong } from '@tallystick/verify/plain';
import { checkProofFile, readProofFile, writeProofFile } from '@tallystick/verify/proof-file';
import { checkpointNote, testKey } from '@tallystick/verify/testing/signing';
import { expect, test } from '../../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../../looking/looking.ts';
import { openDemoDashboard } from '../../people/money-forms.ts';
import { storedSession } from '../../people/screens.ts';

const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const ownEntries = (page: Page) => step(page, '1. Your own entries');
const total = (page: Page) => step(page, '2. Your money in the total');
const publicLog = (page: Page) => step(page, '3. The statement in the public log');
const past = (page: Page) => step(page, '4. The past of the log');
const signatures = (page: Page) => step(page, '5. Signatures of others');

async function openProof(page: Page, siteUrl: string): Promise<void> {
  await openDemoDashboard(page, siteUrl);
  await page.getByRole('link', { name: /^Both halves match/ }).click();
  await expect(page).toHaveURL('/myproof');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Proof');
}

/** What a button saves, checked by the verifier as an outsider would. */
async function savedStates(page: Page, button: string, email: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  const file = readProofFile(await readFile(await download.path(), 'utf8'));
  if (isWrong(file)) throw new Error(file.wrong);
  const steps = checkProofFile(file, email, { vkey: null, witnesses: null });
  return { file, states: Object.fromEntries(steps.map(({ name, state }) => [name, state])) };
}

test('one tap leads from the record to the proof, which the browser recomputes, remembers and saves', async ({
  page,
  server,
  expectAccessible,
  expectReadable,
}) => {
  await openProof(page, server.url);
  await expect(
    page.getByRole('heading', { name: /^Your \$[\d,.]+ is part of the \$[\d,.]+ owed$/ }),
  ).toBeVisible();
  for (const part of [ownEntries(page), total(page), publicLog(page)])
    await expect(part).toContainText('Holds');
  await expect(past(page)).toContainText('first time that this browser looks');
  await expect(signatures(page)).toContainText('It proves nothing');
  await lookInBothThemes(page, { expectAccessible, expectReadable });

  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(past(page)).toContainText('Holds');
  await expect(past(page)).toContainText('This browser knew the log with');

  const { email } = await storedSession(page);
  const { file, states } = await savedStates(page, 'Save my proof', email);
  expect(states).toEqual({
    chains: 'holds',
    leaf: 'holds',
    log: 'holds',
    consistency: 'holds',
    witnesses: 'holds',
  });
  const others = checkProofFile(file, 'somebody@example.org', { vkey: null, witnesses: null });
  expect(others.find(({ name }) => name === 'leaf')?.state).toBe('broken');

  // The page for everybody counts a demo's own witness as little as the screen does.
  const saved = {
    name: 'proof.json',
    mimeType: 'application/json',
    buffer: Buffer.from(writeProofFile(file)),
  };
  await page.goto('/verify.html');
  await page.getByLabel('Proof file').setInputFiles(saved);
  await page.getByLabel('Your e-mail address').fill(email);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('heading', { name: '1 of 5 could not be checked' })).toBeVisible();
  await expect(page.locator('[data-step=witnesses]')).toContainText('It proves nothing');
});

test('what the owner of the database rewrites is told as loudly as money missing, and the evidence can be saved', async ({
  page,
  server,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  await openProof(page, server.url);
  await expect(ownEntries(page)).toContainText('Holds');
  const { email } = await storedSession(page);
  const chain = await page.request.get('/api/ledger/entries?limit=1');
  const { fundingtype } = (await chain.json()).entries[0];

  await server.rewriteFirstEntry(email, `${fundingtype}.`);
  complaints.announce(/The proof is broken/);
  await page.getByRole('button', { name: 'Check again' }).click();
  const alarm = page.getByRole('alert', { name: 'The proof is broken' });
  await expect(alarm).toContainText('Your own entries do not fit together');
  await expect(ownEntries(page)).toContainText('Broken');
  await expect(page.getByRole('heading', { name: /is part of the/ })).toHaveCount(0);
  await lookInBothThemes(page, { expectAccessible, expectReadable });

  const { file, states } = await savedStates(page, 'Save the evidence', email);
  expect(states.chains).toBe('broken');
  expect(file.known?.checkpoint).toContain(file.checkpoint.split('\n')[0]);
  await server.rewriteFirstEntry(email, fundingtype);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(ownEntries(page)).toContainText('Holds');
});

test('a new key that was missed is a break until the reader has compared it, and then the log goes on', async ({
  page,
  server,
  complaints,
  expectAccessible,
  expectReadable,
}) => {
  await openProof(page, server.url);
  await expect(past(page)).toContainText('first time that this browser looks');
  // As if this browser had known the same log under a key of before.
  const [origin = '', size, root = ''] = (await (await page.request.get('/log/checkpoint')).text()).split(
    '\n',
  );
  const older = testKey(origin, 'note', 'older');
  const checkpoint = checkpointNote(older, { size: Number(size), root: Buffer.from(root, 'base64') });
  await page.evaluate(
    (known) => localStorage.setItem('log', known),
    JSON.stringify({ vkey: older.vkey, checkpoint }),
  );

  complaints.announce(/The proof is broken/);
  await page.getByRole('button', { name: 'Check again' }).click();
  const alarm = page.getByRole('alert', { name: 'The proof is broken' });
  await expect(alarm).toContainText('The log is signed with another key');
  await expect(alarm).toContainText('still contains everything that this browser knew');
  await expect(alarm).toContainText(older.vkey);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  await expectNoSidewaysScroll(page);

  await alarm.getByRole('button', { name: 'I compared it: go on' }).click();
  await expect(past(page)).toContainText('Holds');
  await expect(alarm).toHaveCount(0);
});

test('a proof that cannot be fetched is no proof, and can be asked for again', async ({
  page,
  server,
  complaints,
}) => {
  await openDemoDashboard(page, server.url);
  complaints.announce(/The proof could not be checked/);
  complaints.tolerate(/ERR_FAILED/);
  await page.route('**/log/checkpoint', (route) => route.abort());
  await page.getByRole('link', { name: /^Both halves match/ }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The proof could not be fetched' })).toBeVisible();
  await expect(ownEntries(page)).toContainText('Not checked');
  await page.unroute('**/log/checkpoint');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(ownEntries(page)).toContainText('Holds');
});
