import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { type Clock, minuteMs } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import { keptUserAgent, newToken } from '../credentials.ts';
import { meetDevice } from '../devices.ts';
import type { BroughtBy } from '../factors/beginning.ts';
import { sha256 } from '../rules.ts';
import { endOperatorSessions, insertOperatorSession, type OperatorRow } from './store.ts';

export interface BegunByOperator {
  operator: { id: string; name: string; email: string };
  cookie: string;
  deviceSecret: string;
}

const absoluteMs = 12 * 60 * minuteMs;

/** The one place where an operator's session begins, whatever was shown for it. The caller holds the operator's row. */
export function createOperatorBeginning({ clock }: { clock: Clock }) {
  return async function begin(
    tx: Tx,
    operator: OperatorRow,
    by: BroughtBy,
    action: string,
  ): Promise<BegunByOperator> {
    const now = clock.now();
    const { client } = by;
    if (by.sessionCookie) await endOperatorSessions(tx, { cookieHash: sha256(by.sessionCookie) }, now);
    const device = await meetDevice(tx, { operatorId: operator.id }, by.deviceSecret, now);
    const cookie = newToken();
    await insertOperatorSession(tx, {
      operatorId: operator.id,
      cookieHash: sha256(cookie),
      clientAddress: client.address,
      userAgent: keptUserAgent(client),
      now,
      expiresAt: new Date(now.getTime() + absoluteMs),
    });
    const { id, name, email } = operator;
    await writeAudit(tx, ownAct('operator', id, action, client.address), now);
    return { operator: { id, name, email }, cookie, deviceSecret: device.secret };
  };
}

export type BeginOperator = ReturnType<typeof createOperatorBeginning>;
