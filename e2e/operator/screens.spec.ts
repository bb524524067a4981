import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes, themeOf } from '../looking.ts';
import { openDashboard } from '../money-forms.ts';

const paths = [
  '/operator',
  '/operator/investors',
  '/operator/investors?search=priya',
  '/operator/plans?plan=new',
  '/operator/methods',
  '/operator/books',
  '/operator/audit',
  '/operator/messages',
  '/operator/checklist',
];

test('every screen of the console can be used by everyone, in light and dark, and fits a narrow phone', async ({
  openConsole,
  isMobile,
  expectAccessible,
}) => {
  const console = await openConsole('first');
  await console.emulateMedia({ colorScheme: themeOf(isMobile) });
  for (const path of paths) {
    await test.step(path, async () => {
      if (path !== '/operator') await console.goto(path);
      await expect(console.getByRole('heading', { level: 1 })).toBeVisible();
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
