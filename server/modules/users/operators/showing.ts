import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import type { Sealer } from '../../../platform/sealing.ts';
import type { Client } from '../credentials.ts';
import type { UseAssertion } from '../factors/assertions.ts';
import { recoveryCodeHash, stepOf } from '../factors/authenticator.ts';
import type { Factor } from '../factors/rules.ts';
import type { Shown } from '../factors/showing.ts';
import { type OperatorRow, setTotp, takeRecoveryCode } from './store.ts';

interface ShownByOperator {
  /** The caller holds the row. */
  operator: OperatorRow;
  shown: Shown;
  challenge: string | null;
  client: Client;
}

/** Says whether what is shown is a factor of the operator, and uses it up. Null when it is not right. */
export function createOperatorShowing(needs: { clock: Clock; sealer: Sealer; useAssertion: UseAssertion }) {
  const { clock, sealer, useAssertion } = needs;

  async function useCode(tx: Tx, operator: OperatorRow, code: string): Promise<boolean> {
    if (!operator.totpSealed) return false;
    const secret = sealer.open(operator.totpSealed);
    const step = stepOf({ secret, code, now: clock.now(), lastStep: operator.totpLastStep });
    if (step === null) return false;
    const { totpSealed: sealed, totpConfirmedAt: confirmedAt } = operator;
    await setTotp(tx, operator.id, { sealed, confirmedAt, lastStep: step });
    return true;
  }

  return async function show(tx: Tx, of: ShownByOperator): Promise<Factor | null> {
    const { operator, challenge, client } = of;
    const { code, recoveryCode, passkey } = of.shown;
    if (passkey) {
      const owner = { operatorId: operator.id };
      return (await useAssertion({ tx, owner, shown: passkey, challenge, client })) ? 'passkey' : null;
    }
    if (recoveryCode !== undefined) {
      const hash = recoveryCodeHash(recoveryCode);
      return (await takeRecoveryCode(tx, operator.id, hash, clock.now())) ? 'recovery' : null;
    }
    return code !== undefined && (await useCode(tx, operator, code)) ? 'code' : null;
  };
}

export type ShowByOperator = ReturnType<typeof createOperatorShowing>;
