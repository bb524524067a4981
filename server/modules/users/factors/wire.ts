import type { Passkey, stepup } from '@tallystick/contract/factors';
import type { z } from 'zod';
import type { PasskeyRow } from './passkey-store.ts';
import type { Shown } from './showing.ts';

export const shownIn = (body: z.output<typeof stepup.body>): Shown => ({
  code: body.code,
  recoveryCode: body.recoverycode,
  passkey: body.passkey,
});

export const passkeyToWire = (row: PasskeyRow): Passkey => ({
  _id: row.id,
  name: row.name,
  backedup: row.backedUp,
  createdat: row.createdAt.toISOString(),
  usedat: row.usedAt?.toISOString() ?? null,
});
