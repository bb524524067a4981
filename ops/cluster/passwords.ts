import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Passwords } from './render.ts';

const logins = ['superuser', 'replication', 'rewind', 'owner', 'rest'] as const;

/** Made once and kept in a file that only its owner reads; one that an older version did not know is added. */
export function keepPasswords(file: string): Passwords {
  const known: Partial<Passwords> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const passwords = Object.fromEntries(
    logins.map((login) => [login, known[login] ?? randomBytes(18).toString('base64url')]),
  ) as unknown as Passwords;
  if (logins.some((login) => !known[login]))
    writeFileSync(file, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 });
  return passwords;
}
