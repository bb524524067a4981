import type { PasskeyAssertion } from '@tallystick/contract/factors';
import type { z } from 'zod';
import { writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import type { Client } from '../credentials.ts';
import { findPasskey, isTheirs, type PasskeyOwner, usePasskey } from './passkey-store.ts';
import type { PasskeyChecks } from './passkeys.ts';
import { isRolledBack } from './rules.ts';

interface Assertion {
  tx: Tx;
  /** The caller holds the row. */
  owner: PasskeyOwner;
  shown: z.output<typeof PasskeyAssertion>;
  /** What a passkey was asked to sign; null where none was asked. */
  challenge: string | null;
  client: Client;
}

/** The one way to look at a passkey that is shown, whoever's it is: an investor's opens nothing of an operator's. */
export function createAssertions({ clock, checks }: { clock: Clock; checks: PasskeyChecks }) {
  return async function useAssertion({ tx, owner, shown, challenge, client }: Assertion): Promise<boolean> {
    const passkey = await findPasskey(tx, shown.id);
    if (!challenge || !passkey || !isTheirs(passkey, owner)) return false;
    const signed = await checks.signed(passkey, shown, challenge);
    if (!signed) return false;
    const now = clock.now();
    if (isRolledBack(passkey.counter, signed.counter)) {
      const isInvestors = 'userId' in owner;
      const action = isInvestors ? 'passkey.rolled-back' : 'operator.passkey-rolled-back';
      const subjectId = isInvestors ? owner.userId : owner.operatorId;
      const details = { name: passkey.name, kept: String(passkey.counter), shown: String(signed.counter) };
      const about = { action, subjectId, clientAddress: client.address };
      await writeAudit(tx, { actor: { kind: 'nobody' }, ...about, details }, now);
      return false;
    }
    await usePasskey(tx, passkey.id, { ...signed, now });
    return true;
  };
}

export type UseAssertion = ReturnType<typeof createAssertions>;
