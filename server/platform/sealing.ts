import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps a text unreadable and unalterable while it waits in the database. */
export interface Sealer {
  seal(text: string): string;
  open(sealed: string): string;
}

const cipher = 'aes-256-gcm';
const keyLengthBytes = 32;
const nonceLengthBytes = 12;
const tagLengthBytes = 16;
/** Authenticated too, so that a later format cannot be passed off as this one. */
const version = 'v1';

export function createSealer(key: Buffer): Sealer {
  if (key.length !== keyLengthBytes)
    throw new Error(`A sealing key has ${keyLengthBytes} bytes, not ${key.length}.`);

  return {
    seal(text) {
      // Random nonces are safe for 2^32 texts under one key, far beyond what a queue of mail will see.
      const nonce = randomBytes(nonceLengthBytes);
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagLengthBytes });
      sealing.setAAD(Buffer.from(version));
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return `${version}.${Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')}`;
    },

    open(sealed) {
      const bytes = unwrap(sealed);
      const nonce = bytes.subarray(0, nonceLengthBytes);
      const tag = bytes.subarray(nonceLengthBytes, nonceLengthBytes + tagLengthBytes);
      const body = bytes.subarray(nonceLengthBytes + tagLengthBytes);
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagLengthBytes });
      opening.setAAD(Buffer.from(version));
      opening.setAuthTag(tag);
      try {
        return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
      } catch {
        throw new Error('The sealed text was altered, or was sealed with another key.');
      }
    },
  };
}

function unwrap(sealed: string): Buffer {
  const [prefix, encoded = '', ...rest] = sealed.split('.');
  if (prefix !== version || rest.length > 0) throw new Error(`The sealed text is not of version ${version}.`);
  const bytes = Buffer.from(encoded, 'base64url');
  // Node decodes leniently; only the one spelling that `seal` writes is accepted, so that any changed character shows.
  if (bytes.toString('base64url') !== encoded || bytes.length < nonceLengthBytes + tagLengthBytes) {
    throw new Error('The sealed text is damaged.');
  }
  return bytes;
}
