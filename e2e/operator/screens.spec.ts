import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, goOnTo, lookInBothThemes, themeOf } from '../looking/looking.ts';
import { openDashboard } from '../people/money-forms.ts';

/** The screens by the name that each has. */
const screens = {
  '/operator': 'Queue',
  '/operator/investors': 'Investors',
  '/operator/investors?search=priya': 'Investors',
  '/operator/payouts': 'Payouts',
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
        // The list has the same title, and this link, before it is searched; what is pressed then is drawn anew meanwhile.
        await expect(console.getByRole('link', { name: 'Lena Fischer' })).toHaveCount(0);
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
