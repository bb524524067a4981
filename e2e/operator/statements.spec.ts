import { provebooks } from '@tallystick/contract/operator/books';
import { statements } from '@tallystick/contract/proof';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../looking/looking.ts';
import { waitForNews } from '../people/money-forms.ts';

test('statements of the books are listed on the page of the books, and made there', async ({
  openConsole,
  complaints,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const console = await openConsole('first', '/operator/books');
  const card = console.getByRole('region', { name: 'Statements of the books' });
  await expect(card).toContainText(isMobile ? 'Statement 1' : 'Place in the log');
  await expect(card.getByText(/^\$[\d,]+\.\d\d$/).filter({ visible: true })).not.toHaveCount(0);
  await lookInBothThemes(console, looks);
  if (isMobile) await expectNoSidewaysScroll(console);

  // What the server answers is proven elsewhere; here, what is shown of it.
  const answer = { status: 200, json: { number: 2 } };
  await console.route(`**${provebooks.path}`, (route) => route.fulfill(answer));
  await card.getByRole('button', { name: 'Make one now' }).click();
  await expect(console.getByText('Statement 2 is made')).toBeVisible();
  const message = 'The last statement is younger than a minute.';
  Object.assign(answer, { status: 429, json: { code: 'too_many_requests', message } });
  complaints.announceStatus(429);
  complaints.announce(/ApiRefusal: The last statement is younger/);
  await card.getByRole('button', { name: 'Make one now' }).click();
  await expect(console.getByText(message)).toBeVisible();

  await card.getByRole('button', { name: 'For an auditor' }).click();
  const dialog = console.getByRole('dialog', { name: 'For an auditor' });
  await lookInBothThemes(console, looks);
  const started = console.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await started).suggestedFilename()).toMatch(/^liabilities-\d+\.sealed$/);
  await expect(dialog.getByText('This passphrase opens it')).toBeVisible();
  await lookInBothThemes(console, looks);
  if (isMobile) await expectNoSidewaysScroll(console);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await console.route(`**${statements.path}**`, (route) => route.fulfill({ json: { statements: [] } }));
  await waitForNews(console);
  await expect(card).toContainText('None was made yet.');
  await console.unroute(`**${statements.path}**`);
  complaints.announceStatus(503);
  const busy = { status: 503, json: { code: 'busy', message: 'Busy.' } };
  await console.route(`**${statements.path}**`, (route) => route.fulfill(busy));
  await waitForNews(console);
  await expect(card).toContainText('could not be fetched');
  await lookInBothThemes(console, looks);
});
