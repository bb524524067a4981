import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';

const names = ['Using Your Data', 'Data Retention', 'Sharing third party data', 'Cookies Policy'];

async function expectChosen(page: Page, name: string) {
  for (const tab of names) {
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', String(tab === name));
  }
  await expect(page.getByRole('tabpanel')).toHaveCount(1);
  await expect(page.getByRole('tabpanel')).toHaveAccessibleName(name);
  await expect(page.getByRole('tabpanel').getByRole('heading', { level: 2 })).toHaveText(name);
}

test('four tabs show one text each, by touch, mouse and keyboard', async ({ page, isMobile }) => {
  await page.goto('/privacy');
  await expect(page.getByRole('tab')).toHaveText(names);
  await expectChosen(page, 'Using Your Data');
  for (const name of names.toReversed()) {
    const tab = page.getByRole('tab', { name });
    if (isMobile) await tab.tap();
    else await tab.click();
    await expectChosen(page, name);
  }
  for (const [key, name] of [
    ['ArrowDown', 'Data Retention'],
    ['ArrowRight', 'Sharing third party data'],
    ['End', 'Cookies Policy'],
    ['ArrowDown', 'Using Your Data'],
    ['ArrowUp', 'Cookies Policy'],
    ['ArrowLeft', 'Sharing third party data'],
    ['Home', 'Using Your Data'],
  ] as const) {
    await page.keyboard.press(key);
    await expectChosen(page, name);
    await expect(page.getByRole('tab', { name })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'Using Your Data' })).not.toBeFocused();
});

test('a text has an address of its own, and the full policy is one link away', async ({ page }) => {
  await page.goto('/privacy');
  await page.getByRole('tab', { name: 'Cookies Policy' }).click();
  await expect(page).toHaveURL('/privacy#cookies-policy');
  await page.goto('/privacy#data-retention');
  await page.reload();
  await expectChosen(page, 'Data Retention');
  await page.getByRole('link', { name: 'Read the full policy' }).click();
  await expect(page).toHaveURL('/privacypolicy');
  for (const name of names) await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
});
