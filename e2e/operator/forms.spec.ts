import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { expectNoSidewaysScroll, lookInBothThemes } from '../looking/looking.ts';
import { drawer, openItem } from '../people/queue.ts';

/** The ways to what opens over the screens, by the name it has then. The people are those of the demo. */
const ways: Record<string, (console: Page) => Promise<unknown>> = {
  'Review deposit': (console) => openItem(console, 'Tomasz Zielinski', 'Review'),
  'Reject withdrawal': (console) => openItem(console, 'Marcus Bell', 'Reject'),
  'Approve withdrawal': (console) => openItem(console, 'Marcus Bell', 'Approve'),
  'Confirm correction': (console) => openItem(console, 'Correction for', 'Confirm'),
  'Freeze withdrawals': async (console) => {
    await console.goto('/operator/investors?search=lena');
    await console.getByRole('link', { name: 'Lena Fischer' }).click();
    await console.getByRole('button', { name: 'Freeze withdrawals' }).click();
  },
  Correction: (console) => console.getByRole('button', { name: 'Correction' }).click(),
  'Change the Ripple address': async (console) => {
    await console.goto('/operator/methods');
    await console.getByRole('button', { name: 'Change address of Ripple' }).click();
  },
  'When a payment in Ripple counts': (console) =>
    console.getByRole('button', { name: 'Settings of Ripple' }).click(),
  'Sign the Ripple address': (console) =>
    console.getByRole('button', { name: 'Not signed yet by the Ripple address' }).click(),
  'New payment method': (console) => console.getByRole('button', { name: 'New payment method' }).click(),
};

test('what an operator typed is lost only after being asked, by Back as by Esc and the cross, and Back is no trap', async ({
  openConsole,
}) => {
  const console = await openConsole('second');
  const dialog = drawer(console);
  const ask = dialog.getByRole('group', { name: 'Close without sending' });
  const open = async () => {
    await openItem(console, 'Tomasz Zielinski', 'Review');
    await expect(dialog.getByLabel('Amount received')).toBeFocused();
    await dialog.getByLabel('Amount received').fill('4999');
    await expect(dialog.getByRole('button', { name: 'Confirm $4,999.00' })).toBeVisible();
  };
  const ways = [
    () => console.goBack(),
    () => console.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
  ];
  await open();
  for (const close of ways) {
    await close();
    await expect(ask.getByRole('button', { name: 'Go on typing' })).toBeFocused();
    await ask.getByRole('button', { name: 'Go on typing' }).click();
    await expect(ask).toHaveCount(0);
    await expect(dialog.getByLabel('Amount received')).toHaveValue('4999');
  }
  await dialog.getByRole('button', { name: 'Close' }).click();
  await ask.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
  await open();
  await console.goBack();
  await expect(ask).toBeVisible();
  await console.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(console).toHaveURL('/operator');
  // Nothing typed, nothing asked.
  await openItem(console, 'Tomasz Zielinski', 'Review');
  await console.goBack();
  await expect(dialog).toHaveCount(0);
});

test('what opens over the console’s screens can be used by everyone, fits a narrow phone, and gives the focus back', async ({
  openConsole,
  expectAccessible,
  expectReadable,
}) => {
  const console = await openConsole('second');
  for (const [name, open] of Object.entries(ways)) {
    await test.step(name, async () => {
      await open(console);
      await expect(drawer(console)).toHaveAccessibleName(name);
      await lookInBothThemes(console, { expectAccessible, expectReadable });
      await expectNoSidewaysScroll(console);
      // The focus goes round inside, however often Tab is pressed.
      for (let presses = 0; presses < 12; presses += 1) await console.keyboard.press('Tab');
      await expect(drawer(console).locator(':focus')).toHaveCount(1);
      await console.keyboard.press('Escape');
      await expect(drawer(console)).toHaveCount(0);
      await expect(console.getByRole('main').locator('button:focus')).toHaveCount(1);
    });
  }
});

test('no summary keeps a phone’s queue from beginning with the first request', async ({ openConsole }) => {
  const console = await openConsole('first');
  const first = console.locator('[data-queue-row]').first();
  await expect(first).toBeVisible();
  const row = await first.boundingBox();
  const bar = await console.getByRole('navigation', { name: 'Console, main places' }).boundingBox();
  if (!row || !bar) throw new Error('the request or the bar beneath it is not drawn');
  expect(row.y + row.height).toBeLessThanOrEqual(bar.y);

  // The cards that gave way are a press away.
  const owed = console.getByText('Owed', { exact: true });
  await expect(owed).toBeHidden();
  await console.getByRole('button', { name: 'All figures' }).click();
  await expect(owed).toBeVisible();
});
