import { expect, test } from '../../fixtures.ts';
import { openDemoDashboard } from '../../people/money-forms.ts';

test('the phone’s contacts lead to the form of the contact page', async ({ page, server }) => {
  await openDemoDashboard(page, server.url);
  await page.goto('/mobilecontactus');
  await page.getByRole('link', { name: 'Write a message' }).click();
  await expect(page).toHaveURL('/contactus#write');
  await expect(page.getByRole('button', { name: 'Send message' })).toBeInViewport();
  await expect(page.locator('#write')).toBeFocused();
});
