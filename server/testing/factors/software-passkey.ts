import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@tallystick/contract/factors';
import type { z } from 'zod';

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.of((major << 5) | n)
      : n < 256
        ? Buffer.of((major << 5) | 24, n)
        : Buffer.of((major << 5) | 25, n >> 8, n & 255);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as Buffer)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

export interface Passkey {
  id: Buffer;
  key: KeyObject;
  userHandle: string;
  counter: number;
}

/** What may be false about what a passkey brings. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  unverified?: boolean;
  key?: KeyObject;
  userHandle?: string | null;
  counter?: number;
}

const origin = 'http://localhost:3000';
const flags = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 };

const clientData = (type: string, challenge: string, lies: Lies) =>
  Buffer.from(
    JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? origin, crossOrigin: false }),
  );

function authenticatorData(counter: number, lies: Lies, credential?: Buffer): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flag =
    flags.present |
    (lies.unverified ? 0 : flags.verified) |
    flags.backupEligible |
    flags.backedUp |
    (credential ? flags.attested : 0);
  const data = [sha256(lies.rpId ?? 'localhost'), Buffer.of(flag), count];
  return Buffer.concat(credential ? [...data, credential] : data);
}

/** Makes a key as a phone would, for what a browser was told. */
export function makePasskey(options: PasskeyCreation, lies: Lies = {}) {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const id = randomBytes(32);
  const length = Buffer.of(0, id.length);
  const credential = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
  const authData = authenticatorData(lies.counter ?? 0, lies, credential);
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const challenge = lies.challenge ?? options.challenge;
  const passkey: Passkey = { id, key, userHandle: options.user.id, counter: lies.counter ?? 0 };
  const body: z.input<typeof PasskeyAttestation> = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: { credProps: { rk: true } },
    response: {
      clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal', 'hybrid', 'of a later day'],
    },
  };
  return { passkey, body };
}

/** Signs what it was asked to. */
export function sign(
  passkey: Passkey,
  options: PasskeyRequest,
  lies: Lies = {},
): z.input<typeof PasskeyAssertion> {
  const data = clientData('webauthn.get', lies.challenge ?? options.challenge, lies);
  const authData = authenticatorData(lies.counter ?? passkey.counter, lies);
  const signing = createSign('sha256').update(Buffer.concat([authData, sha256(data)]));
  return {
    id: passkey.id.toString('base64url'),
    rawId: passkey.id.toString('base64url'),
    type: 'public-key',
    response: {
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signing.sign(lies.key ?? passkey.key).toString('base64url'),
      userHandle: lies.userHandle === undefined ? passkey.userHandle : lies.userHandle,
    },
  };
}
