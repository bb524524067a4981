import type { Page } from '@playwright/test';
import { proposefactorremoval } from '@tallystick/contract/operator/investors';
import { factorremovals, queue } from '@tallystick/contract/operator/queue';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../looking/looking.ts';
import type { Operators } from '../people/operators.ts';
import type { Person } from '../people/people.ts';
import { logIn } from '../people/screens.ts';

const reason = 'Called back on the number that we had, and the passport was shown';

async function openLink(page: Page, text: string): Promise<void> {
  const [, token = ''] = /\/stopchange#removal=(\S+)/.exec(text) ?? [];
  await page.goto(`/stopchange#removal=${token}`);
  await expect(page).toHaveURL('/stopchange');
}

/** What was pressed is gone, before and after it, and the focus is not. */
async function discard(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('button', { name: 'Discard the removal' }).click();
  await expect(page.getByRole('button', { name: 'Remove second factors' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
}

async function askAgain(operators: Operators, { userid: id }: Person): Promise<void> {
  await (await operators.first()).press(proposefactorremoval, { params: { id }, body: { reason } });
}

async function agreeAgain(operators: Operators, person: Person): Promise<void> {
  const { userid: id } = person;
  await askAgain(operators, person);
  const { press: agrees } = await operators.second();
  const waiting = (await agrees(queue, {})).factorremovals.find(({ investor }) => investor._id === id);
  await agrees(factorremovals.confirm, { params: { id: waiting?._id ?? '' } });
}

test('who has lost every factor comes back by two operators and seven days, and may stop it by a letter', async ({
  page,
  server,
  people,
  operators,
  mailbox,
  complaints,
  isMobile,
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const looks = { expectAccessible, expectReadable };
  const person = await people.verified();
  await server.storeLostPasskey(person.email);
  complaints.announceStatus(403);
  await page.goto('/login');
  await logIn(page, person);
  await page.getByText('I lost my second factor').click();
  await expect(page.getByText('Two of our operators agree')).toBeVisible();
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);

  const first = await openConsole('first', `/operator/investors/${person.userid}`);
  await first.getByRole('button', { name: 'Remove second factors' }).click();
  const asking = first.getByRole('dialog', { name: 'Ask for the removal' });
  await asking.getByLabel('Reason').fill(reason);
  await lookInBothThemes(first, looks);
  await asking.getByRole('button', { name: 'Ask for the removal' }).click();
  await expect(first.getByText('waits for a second operator in the')).toBeVisible();
  await lookInBothThemes(first, looks);
  if (isMobile) await expectNoSidewaysScroll(first);
  await discard(first);
  await askAgain(operators, person);

  const second = await openConsole('second');
  const row = second.getByRole('listitem').filter({ hasText: reason });
  await row.getByRole('button', { name: 'Confirm' }).click();
  const drawer = second.getByRole('dialog', { name: 'Confirm removal of second factors' });
  await expect(drawer).toContainText('7 days to stop it');
  await lookInBothThemes(second, looks);
  await drawer.getByRole('button', { name: 'Confirm' }).click();
  await expect(drawer).toBeHidden();
  await second.goto(`/operator/investors/${person.userid}`);
  await expect(second.getByText('All second factors will be removed')).toBeVisible();
  await lookInBothThemes(second, looks);

  const told = await mailbox.letter(person.email, 'will be removed');
  await openLink(page, told.text);
  await lookInBothThemes(page, looks);
  if (isMobile) await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Stop the removal' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your second factors stay');
  await lookInBothThemes(page, looks);
  await mailbox.letter(person.email, 'stay');

  // It was the investor after all: once more, and nobody stops it.
  await agreeAgain(operators, person);
  await server.letRemovalPass(person.email);
  await mailbox.letter(person.email, 'were removed');
  complaints.announceStatus(409);
  await openLink(page, (await mailbox.letter(person.email, 'will be removed', 2)).text);
  await page.getByRole('button', { name: 'Stop the removal' }).click();
  await expect(page.getByRole('alert')).toContainText('too late');
  await page.goto('/login');
  await logIn(page, person);
  await expect(page).toHaveURL('/dashboard');
});
