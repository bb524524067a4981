import { createPrivateKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartRefusal } from '../platform/start-refusal.ts';
import type { Env } from './env.ts';
import { makeOnce, readNamedFile, readPrivateFile } from './private-file.ts';

const makeOne = 'Make one: openssl genpkey -algorithm ed25519 > FILE; chmod 600 FILE';
const pemShape = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g;

function privateKeyOf(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/** Whoever reads this file can sign another log under our name. */
function readKeyFile(path: string): KeyObject[] {
  const text = readPrivateFile('LOG_KEY_FILE', path, makeOne).toString('utf8');
  const keys = (text.match(pemShape) ?? []).map(privateKeyOf);
  const good = keys.filter((key) => key?.asymmetricKeyType === 'ed25519');
  if (good.length === 0 || good.length < keys.length) {
    throw new Error(`LOG_KEY_FILE ${path} does not hold an Ed25519 key. ${makeOne}`);
  }
  return good as KeyObject[];
}

/** As OpenSSL would write it. */
export const newKey = (): string =>
  String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));

/** Made at the first start where none is named. */
export function readLogKeys({ LOG_KEY_FILE, DATA_DIR }: Pick<Env, 'LOG_KEY_FILE' | 'DATA_DIR'>): KeyObject[] {
  if (LOG_KEY_FILE) return readKeyFile(LOG_KEY_FILE);
  const path = join(resolve(DATA_DIR), 'log', 'key');
  makeOnce(path, newKey);
  return readKeyFile(path);
}

/** Whether a note bears a signature of one of these, under whatever name: the site may have moved. */
function isSignedBy(note: string, keys: readonly KeyObject[]): boolean {
  const end = note.indexOf('\n\n') + 1;
  const text = Buffer.from(note.slice(0, end));
  const signatures = [...note.slice(end).matchAll(/^— \S+ (\S+)$/gm)].map(([, line = '']) =>
    Buffer.from(line, 'base64').subarray(4),
  );
  return signatures.some((signature) => keys.some((key) => verify(null, text, key, signature)));
}

/**
 * What is signed with another key than before is another log to whoever knows the old one. A key is changed while both
 * stand in the file: docs/trust.md. What is there and is no signed checkpoint stops the log, not the server.
 */
export function refuseForeignLogKey(dataDir: string, keys: readonly KeyObject[]): void {
  const path = join(dataDir, 'log', 'checkpoint');
  const note = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (!/\n\n— /.test(note) || isSignedBy(note, keys)) return;
  throw new StartRefusal(
    `LOG_KEY_FILE holds another key than ${path} was signed with: name the one of before, or put the new one behind it in the file, as docs/trust.md, Changing the key, says.`,
  );
}

/**
 * The same of what the database has: of several processes each is given the key and the address, and one that has another
 * would sign what nobody can verify. One alone may have reasons: docs/trust.md, After a restore.
 */
export function refuseLogOfOne(newest: string | null, keys: readonly KeyObject[], origin: string): void {
  if (newest === null) return;
  const beAlone = 'is first used by one server alone, with ROLE=all: docs/trust.md, Changing the key.';
  if (!isSignedBy(newest, keys)) {
    throw new StartRefusal(
      `LOG_KEY_FILE holds another key than the public log in this database was signed with: all processes of a site have the same. A key that is to replace it ${beAlone}`,
    );
  }
  const [name] = newest.split('\n', 1);
  if (name !== origin) {
    throw new StartRefusal(
      `SITE_URL makes the public log ${origin}, and in this database it is signed as ${name}: all processes of a site have the same address. Another one ${beAlone}`,
    );
  }
}

/** A line for each: its key and where it is; what follows a # is for people. */
export function readWitnesses(path: string | undefined): { vkey: string; url: string }[] {
  if (path === undefined) return [];
  const lines = readNamedFile('LOG_WITNESSES_FILE', path).toString('utf8').split('\n');
  return lines.flatMap((line, at) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, vkey = '', url = ''] = /^(\S+) (https?:\/\/\S+)\s*$/.exec(line) ?? [];
    if (!URL.canParse(url)) {
      // Not the line itself: it may be another file than was meant, the secret for example.
      throw new Error(`LOG_WITNESSES_FILE ${path} must have a key and an address in line ${at + 1}.`);
    }
    return [{ vkey, url }];
  });
}
