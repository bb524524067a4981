import { hash } from 'node:crypto';

/** A client's key, and whose it is. */
export interface Key {
  scope: string;
  key: string;
}

/** What a movement bears of the command that made it: an id that is made of the key, and the hash of what was asked for. */
export interface BorneKey {
  movementId: string;
  /** In hexadecimal digits. */
  bodySha256: string;
}

/** Which movement a key makes, if any: two keys never make the same. A UUID of one's own making (version 8), of their hash. */
export function movementIdOf({ scope, key }: Key): string {
  const digits = hash('sha256', `${scope}\n${key}`);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
