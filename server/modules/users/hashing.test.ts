import { PresentedPassword } from '@tallystick/contract/users';
import { expect, it } from 'vitest';
import { times } from '../../testing/at-once.ts';
import { lightHashing } from '../../testing/start-app.ts';
import { createHashing } from './hashing.ts';

it('unless a test says otherwise, a hash costs what OWASP asks of argon2id', async () => {
  expect(await createHashing().hash('notched hazel 1826')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('what was hashed at another cost is matched all the same', async () => {
  const light = await createHashing(lightHashing).hash('notched hazel 1826');
  const hashing = createHashing();
  expect(light).toContain('$m=8,t=1,p=1$');
  expect(await hashing.matches(light, 'notched hazel 1826')).toBe(true);
  expect(await hashing.matches(light, 'notched hazel 1827')).toBe(false);
});

it('a password counts as it was typed, to its last character', async () => {
  const hashing = createHashing(lightHashing);
  const typed = ` Ünïcode ${'x'.repeat(118)} `;
  const stored = await hashing.hash(PresentedPassword.parse(typed));
  const others = [typed.trim(), typed.toLowerCase(), typed.slice(0, -1), `${typed} `, typed.normalize('NFD')];
  const matched = await Promise.all(
    [typed, ...others].map((word) => hashing.matches(stored, PresentedPassword.parse(word))),
  );
  expect(matched).toEqual([true, ...others.map(() => false)]);
});

it('four hash at once, sixteen wait, and whoever comes then is told to come back', async () => {
  const hashing = createHashing();
  const settled = await Promise.allSettled(times(25, () => hashing.matches(null, 'notched hazel 1826')));
  const refused = settled.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(5);
  expect(refused).toMatchObject(times(5, () => ({ reason: { code: 'busy', retryAfterSeconds: 2 } })));
  expect(await hashing.matches(null, 'notched hazel 1826')).toBe(false);
});
