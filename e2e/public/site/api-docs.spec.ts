import * as users from '@tallystick/contract/users';
import { expect, test } from '../../fixtures.ts';

test('the API reference shows every call about users, from this server alone', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: 'Tallystick API' })).toBeVisible();
  for (const call of [users.register, users.signin, users.verifyforgortpasscode, users.changepassword]) {
    await expect(page.getByText(call.summary).first()).toBeAttached();
  }
});
