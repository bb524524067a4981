import { hkdfSync, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Env } from './env.ts';
import { makeOnce, readPrivateFile } from './private-file.ts';

const masterLengthMin = 32;

/** One key per use, all derived from one secret, so that only one thing has to be kept. */
export interface Secrets {
  codes: Buffer;
  mail: Buffer;
  totp: Buffer;
  /** Of what statements of the books are made of. */
  proof: Buffer;
  /** Of the login that the server works with. */
  database: Buffer;
}

export function deriveSecrets(master: Buffer): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', master, '', `tallystick ${use}`, 32));
  return {
    codes: derive('codes'),
    mail: derive('mail'),
    totp: derive('totp'),
    proof: derive('proof'),
    database: derive('database'),
  };
}

const makeOne = 'Make one: openssl rand -base64 48 > FILE; chmod 600 FILE';

/** Refuses a file that others could read: a leaked secret makes four-digit codes worthless. */
export function readSecretFile(path: string, name = 'SECRET_FILE'): Buffer {
  const master = readPrivateFile(name, path, makeOne);
  if (master.length < masterLengthMin)
    throw new Error(`${name} ${path} is too short: ${masterLengthMin} bytes or more. ${makeOne}`);
  return master;
}

/** Where none is named, one is made once and kept beside the data. */
export function readMaster({ SECRET_FILE, DATA_DIR }: Pick<Env, 'SECRET_FILE' | 'DATA_DIR'>): Buffer {
  return SECRET_FILE ? readSecretFile(SECRET_FILE) : readOrMakeSecretFile(join(resolve(DATA_DIR), 'secret'));
}

function readOrMakeSecretFile(path: string): Buffer {
  makeOnce(path, () => randomBytes(48).toString('base64'));
  return readSecretFile(path);
}
