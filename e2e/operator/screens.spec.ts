import { expect, test } from '../fixtures.ts';
import { expectListsInSight, expectNoSidewaysScroll, goOnTo, lookInBothThemes, themeOf } from '../looking.ts';
import { openDashboard } from '../money-forms.ts';

/** The screens by the name that each has. */
const screens = {
  '/operator': 'Queue',
  '/operator/investors': 'Investors',
  '/operator/investors?search=priya': 'Investors',
  '/operator/plans?plan=new': 'Plans',
  '/operator/methods': 'Methods',
  '/operator/books': 'Books',
  '/operator/audit': 'Audit log',
  '/operator/messages': 'Messages',
  '/operator/checklist': 'Checklist',
};

test('every screen of the console can be used by everyone, in light and dark, and fits a narrow phone', async ({
  openConsole,
  isMobile,
  expectAccessible,
}) => {
  const console = await openConsole('first');
  await console.emulateMedia({ colorScheme: themeOf(isMobile) });
  for (const [path, title] of Object.entries(screens)) {
    await test.step(path, async () => {
      expect((await console.request.get(path)).status()).toBe(200);
      if (path !== '/operator') await goOnTo(console, path);
      await expect(console.getByRole('heading', { level: 1 })).toContainText(title);
      if (path.includes('search')) {
        await console.getByRole('link', { name: 'Priya Raman' }).click();
        await expect(console.getByRole('heading', { level: 1 })).toContainText('Priya Raman');
      }
      await expect(console.locator('[aria-busy=true]')).toHaveCount(0);
      await expectAccessible(console);
      if (isMobile) await expectNoSidewaysScroll(console);
    });
  }
});

/** The screens that list something in a table, by their names. */
const listScreens = {
  '/operator': 'Queue',
  '/operator/investors': 'Investors',
  '/operator/plans': 'Plans',
  '/operator/methods': 'Methods',
  '/operator/audit': 'Audit log',
  '/operator/investors?search=amara': 'Investors',
};

test('on a tablet nothing of the console’s lists lies outside its card', async ({
  openConsole,
  isMobile,
}) => {
  test.skip(isMobile, 'a phone has other lists');
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
      await expectListsInSight(console);
    });
  }
});

test('an investor’s session does not open the console; its sign-in page can be used by everyone', async ({
  page,
  server,
  wallets,
  complaints,
  isMobile,
  expectAccessible,
  expectReadable,
}) => {
  await openDashboard(page, await wallets.owner(), server.url);
  complaints.announceStatus(401);
  await page.goto('/operator/investors');
  await expect(page).toHaveURL('/operator/login?next=%2Foperator%2Finvestors');
  await page.getByRole('button', { name: 'Second Operator' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('second@example.com');
  await expect(page.getByLabel('Digit 6 of 6')).toHaveValue(/^\d$/);
  await lookInBothThemes(page, { expectAccessible, expectReadable });
  if (isMobile) await expectNoSidewaysScroll(page);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/dashboard');
});
