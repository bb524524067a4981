import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import * as store from './device-store.ts';
import { deviceRules, sha256 } from './rules.ts';

interface MetDevice {
  id: string;
  /** For the browser's cookie. */
  secret: string;
  isNew: boolean;
}

/**
 * Remembers the browser that its owner has just shown to be theirs. The caller holds the owner's row. A secret that
 * nobody is known by is not taken over: it may have been forgotten on purpose, or someone else may know it.
 */
export async function meetDevice(
  tx: Tx,
  owner: store.DeviceOwner,
  presented: string | null,
  now: Date,
): Promise<MetDevice> {
  if (presented) {
    const known = await store.touchDevice(tx, owner, sha256(presented), now);
    if (known) return { id: known, secret: presented, isNew: false };
  }
  const isInUse = presented !== null && (await store.isAnyonesDevice(tx, sha256(presented)));
  const secret = isInUse ? presented : randomBytes(32).toString('base64url');
  const id = await store.insertDevice(tx, owner, sha256(secret), now);
  await store.deleteDevicesBeyond(tx, owner, deviceRules.keptMax);
  return { id, secret, isNew: true };
}

/** Which of an account's devices a sign-in comes from; null for a stranger. Nothing is told of who has an account. */
export async function knownDevice(
  db: Db,
  kind: 'investor' | 'operator',
  emailKey: string,
  presented: string | null,
): Promise<string | null> {
  return presented === null ? null : store.findDeviceByEmail(db, kind, emailKey, sha256(presented));
}
