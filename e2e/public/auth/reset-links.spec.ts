import { expect, test } from '../../fixtures.ts';
import { goodPassword } from '../../people/people.ts';
import { beginReset, choosePassword, codeBox, showResetCode } from '../../people/screens.ts';

const newPassword = 'ash and hazel 1827';

test('whoever begins a reset for another person cannot ride on that person’s own code', async ({
  openBrowser,
  people,
  mailbox,
  server,
  complaints,
}) => {
  const victim = await people.verified();
  const [attacker, owner] = [await openBrowser(), await openBrowser()];
  await beginReset(attacker, victim.email);
  await mailbox.code(victim.email, 'password reset');
  await server.letMinutePass(victim.email);

  await beginReset(owner, victim.email);
  const { code } = await mailbox.code(victim.email, 'password reset', 2);
  complaints.announceStatus(422);
  await showResetCode(attacker, code);
  await expect(attacker.getByRole('alert')).toContainText('Code does not exist');
  await showResetCode(owner, code);
  await expect(owner).toHaveURL('/updatepass');

  const alert = attacker.getByRole('alert');
  await attacker.goto('/updatepass');
  await choosePassword(attacker, 'mine from now on');
  await expect(alert).toContainText('Enter the code from the e-mail first');
  await choosePassword(owner, newPassword);
  await expect(owner).toHaveURL('/changepasssuccess');
  await attacker.getByRole('button', { name: 'Update Password' }).click();
  await expect(alert).toContainText('This browser has no password reset under way');

  expect(await people.signInStatus({ ...victim, password: 'mine from now on' })).toBe(401);
  expect(await people.signInStatus({ ...victim, password: newPassword })).toBe(200);
});

test('the long link of the mail activates an account in another browser, once', async ({
  openBrowser,
  people,
  mailbox,
  complaints,
  expectAccessible,
}) => {
  const person = await people.unverified();
  const { link } = await mailbox.code(person.email, 'activation');
  const fresh = await openBrowser();
  await fresh.goto(link);
  await expect(fresh).toHaveURL('/verifyemail');
  await expectAccessible(fresh);
  expect(await people.signInStatus(person), 'opening the link alone changes nothing').toBe(422);
  await fresh.getByRole('button', { name: 'Activate my account' }).click();
  await expect(fresh).toHaveURL('/emailsuccess');
  expect(await people.signInStatus(person)).toBe(200);

  const late = await openBrowser();
  complaints.announceStatus(422);
  await late.goto(link);
  await late.getByRole('button', { name: 'Activate my account' }).click();
  await expect(late.getByRole('alert')).toContainText('This link no longer works');
  await expectAccessible(late);
});

test('the long link of the mail resets a password in another browser, once', async ({
  page,
  openBrowser,
  people,
  mailbox,
  complaints,
}) => {
  const person = await people.verified();
  await beginReset(page, person.email);
  const { link } = await mailbox.code(person.email, 'password reset');
  const fresh = await openBrowser();
  await fresh.goto(link);
  await expect(fresh).toHaveURL('/verifyforgotcode');
  await expect(codeBox(fresh, 1)).toHaveCount(0);
  await fresh.getByRole('button', { name: 'Continue' }).click();
  await expect(fresh).toHaveURL('/updatepass');
  await choosePassword(fresh, newPassword);
  await expect(fresh).toHaveURL('/changepasssuccess');
  expect(await people.signInStatus({ ...person, password: newPassword })).toBe(200);
  expect(await people.signInStatus({ ...person, password: goodPassword })).toBe(401);

  const late = await openBrowser();
  complaints.announceStatus(422);
  await late.goto(link);
  await late.getByRole('button', { name: 'Continue' }).click();
  await expect(late.getByRole('alert')).toContainText('This link no longer works');
  await expect(late.getByRole('link', { name: 'Begin again' })).toHaveAttribute('href', '/forgotpass');
});
