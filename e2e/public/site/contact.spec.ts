import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures.ts';

const contact = '**/api/mail/contact';

async function fillIn(page: Page) {
  await page.getByLabel('Name').fill('Ada Visitor');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Message').fill('When does a plan begin?\nThank you.');
}

const sendButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Send message' });

test('all five ways to reach us are there and marked as samples', async ({ page }) => {
  await page.goto('/contactus');
  const ways = page.getByRole('main').getByRole('listitem');
  await expect(ways).toHaveText([
    /Sales.*sales@example\.com/,
    /Support.*support@example\.com/,
    /Phone.*\+44.*Mon–Friday 8am–4pm/,
    /24\/7 live chat/,
    /UK office.*London/,
  ]);
  await expect(ways.getByText('Sample', { exact: true })).toHaveCount(5);
  await expect(page.getByRole('link', { name: 'sales@example.com' })).toHaveAttribute(
    'href',
    'mailto:sales@example.com',
  );
  await expect(page.getByRole('link', { name: '+44' })).toHaveAttribute('href', /^tel:\+44\d+$/);
  await expect(ways.nth(3)).toContainText('No chat service is connected yet.');
  await page.getByRole('link', { name: 'Start a chat' }).click();
  await expect(sendButton(page)).toBeInViewport();
});

test('every field is asked for; then the message reaches support, and another can be written', async ({
  page,
  mailbox,
  expectAccessible,
}) => {
  await page.goto('/contactus');
  await sendButton(page).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  for (const label of ['Name', 'Email', 'Message']) {
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
  }
  await expect(page.getByText('Write a message.')).toBeVisible();
  await expectAccessible();

  await fillIn(page);
  await sendButton(page).click();
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeFocused();
  await expect(page.getByRole('main')).toContainText('ada@example.com');
  const letter = await mailbox.letter('support@example.com', 'contact form: Ada Visitor');
  expect(letter.text).toContain('When does a plan begin?');
  await page.getByRole('button', { name: 'Write another message' }).click();
  await expect(page.getByLabel('Message')).toHaveValue('');
});

test('what goes wrong is said, what was written is kept, and sending shows', async ({ page, complaints }) => {
  complaints.announce(/The form could not be sent:/, /ERR_FAILED/);
  complaints.announceStatus(429);
  await page.route(contact, (route) => route.abort());
  await page.goto('/contactus');
  await fillIn(page);
  await sendButton(page).click();
  await expect(page.getByRole('alert')).toContainText('nothing was sent');
  await expect(page.getByLabel('Name')).toHaveValue('Ada Visitor');

  const refusal = 'That is a lot of messages. Please try again in an hour.';
  await page.unroute(contact);
  await page.route(contact, (route) =>
    route.fulfill({ status: 429, json: { code: 'too_many_requests', message: refusal } }),
  );
  await sendButton(page).click();
  await expect(page.getByRole('alert')).toHaveText(refusal);
  await expect(page.getByLabel('Message')).toHaveValue(/When does a plan begin/);

  // Made beforehand: the button says so before the request has come here.
  const answer = Promise.withResolvers<void>();
  await page.unroute(contact);
  await page.route(contact, async (route) => {
    await answer.promise;
    await route.fulfill({ json: { message: 'Your message was sent. We answer by e-mail.' } });
  });
  await sendButton(page).click();
  await expect(page.getByRole('button', { name: 'Sending' })).toBeDisabled();
  answer.resolve();
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible();
});
