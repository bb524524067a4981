import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Env } from './env.ts';

const makeOne = 'Make one: openssl genpkey -algorithm ed25519 > FILE; chmod 600 FILE';
const pemShape = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g;

/** Whoever reads this file can sign another log under our name. */
function readKeyFile(path: string): KeyObject[] {
  if (!existsSync(path)) throw new Error(`LOG_KEY_FILE ${path} does not exist. ${makeOne}`);
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new Error(`LOG_KEY_FILE ${path} can be read by others: chmod 600 it.`);
  }
  const keys = (readFileSync(path, 'utf8').match(pemShape) ?? []).map((pem) => createPrivateKey(pem));
  if (keys.length === 0 || keys.some(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519')) {
    throw new Error(`LOG_KEY_FILE ${path} does not hold an Ed25519 key. ${makeOne}`);
  }
  return keys;
}

/** Made at the first start where none is named. */
export function readLogKeys({ LOG_KEY_FILE, DATA_DIR }: Pick<Env, 'LOG_KEY_FILE' | 'DATA_DIR'>): KeyObject[] {
  if (LOG_KEY_FILE) return readKeyFile(LOG_KEY_FILE);
  const dir = join(resolve(DATA_DIR), 'log');
  const path = join(dir, 'key');
  if (!existsSync(path)) {
    mkdirSync(dir, { recursive: true });
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(path, pem, { mode: 0o600, flag: 'wx' });
  }
  return readKeyFile(path);
}

/** A line for each: its key and where it is; what follows a # is for people. */
export function readWitnesses(path: string | undefined): { vkey: string; url: string }[] {
  if (path === undefined) return [];
  if (!existsSync(path)) throw new Error(`LOG_WITNESSES_FILE ${path} does not exist.`);
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, vkey = '', url = ''] = /^(\S+) (https?:\/\/\S+)\s*$/.exec(line) ?? [];
    if (!URL.canParse(url)) throw new Error(`LOG_WITNESSES_FILE: not a key and an address: ${line.trim()}`);
    return [{ vkey, url }];
  });
}
