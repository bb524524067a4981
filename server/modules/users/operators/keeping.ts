import {
  flowMinutes,
  type PasskeyAttestation,
  type PasskeyCreation,
  type PasskeyRequest,
  passkeysMax,
} from '@tallystick/contract/factors';
import type { z } from 'zod';
import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { writeRefusal } from '../../../platform/audit/refusal-audit.ts';
import { type Clock, minuteMs } from '../../../platform/clock.ts';
import type { OperatorIdentity } from '../../../platform/http/identity.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import type { Letter, Mail } from '../../mail/service.ts';
import type { Client } from '../credentials.ts';
import * as flows from '../factors/flow-store.ts';
import { tooManyPasskeys } from '../factors/keeping.ts';
import * as passkeyStore from '../factors/passkey-store.ts';
import type { PasskeyChecks } from '../factors/passkeys.ts';
import { factorWrong, flowOver, type Shown } from '../factors/showing.ts';
import { createTries } from '../tries.ts';
import type { ShowByOperator } from './showing.ts';
import * as store from './store.ts';

interface OperatorKeepingNeeds {
  db: Db;
  clock: Clock;
  mail: Pick<Mail, 'queue'>;
  checks: PasskeyChecks;
  show: ShowByOperator;
}

interface Asked {
  identity: Pick<OperatorIdentity, 'operatorId' | 'sessionId'>;
  client: Client;
}

interface Act extends Asked {
  tx: Tx;
  operator: store.OperatorRow;
  now: Date;
}

type FactorLetter = Extract<Letter, { kind: 'operator-factor-changed' }>;
type Change = Pick<FactorLetter, 'change' | 'factor' | 'passkey'>;

const gone = () => new AppError('not_found', 'This passkey was removed already.');
const onlyOne = () =>
  new AppError('outside_range', 'This is the only second factor that you have. Add another first.');

/**
 * What an operator signs in with beside the password. Every change takes a factor that is shown for it and nothing else:
 * whoever finds a console open can change nothing of it. One factor always stays.
 */
export function createOperatorKeeping({ db, clock, mail, checks, show }: OperatorKeepingNeeds) {
  const countTry = createTries({ db, clock, scope: 'operator-factor' });

  async function locked(tx: Tx, asked: Asked): Promise<Act> {
    const { operatorId, sessionId } = asked.identity;
    const operator = await store.lockOperator(tx, operatorId);
    // Whoever has removed a lost factor meanwhile has ended the session that it was used in.
    if (!operator || !(await store.isOperatorSessionOpen(tx, sessionId)))
      throw new AppError('unauthenticated', 'Sign in to the console to go on.');
    return { ...asked, tx, operator, now: clock.now() };
  }

  async function isShown({ tx, operator, identity, client, now }: Act, shown: Shown): Promise<boolean> {
    const key = { operatorSessionId: identity.sessionId };
    const flow = shown.passkey && (await flows.consumeFlow(tx, 'operator-proof', key, now));
    if (shown.passkey && !flow) throw flowOver();
    return (await show(tx, { operator, shown, challenge: flow?.challenge ?? null, client })) !== null;
  }

  async function refuse(operatorId: string, { address: clientAddress }: Client): Promise<never> {
    const about = { action: 'operator.factor-refused', subjectId: operatorId, clientAddress };
    await writeRefusal(db, { actor: { kind: 'nobody' }, ...about }, clock.now());
    throw factorWrong();
  }

  /**
   * Guessing from within a session is slowed down as it is from without. What was shown is used up before the act begins:
   * one that is refused leaves nothing behind that would do for another.
   */
  async function proven<T>(asked: Asked & { shown: Shown }, act: (act: Act) => Promise<T>): Promise<T> {
    const { shown, ...who } = asked;
    const { operatorId } = who.identity;
    const tried = { accountKey: operatorId, clientAddress: who.client.address, deviceId: null };
    const counted = await countTry(tried);
    const isRight = await inTransaction(db, async (tx) => isShown(await locked(tx, who), shown)).catch(
      async (error) => {
        await counted.didNotHappen();
        throw error;
      },
    );
    if (!isRight) return refuse(operatorId, who.client);
    await counted.wasRight();
    return inTransaction(db, async (tx) => act(await locked(tx, who)));
  }

  /** The owner is told of every change, in case it was somebody else. */
  async function changed({ tx, operator, client, now }: Act, change: Change): Promise<void> {
    const act = ownAct('operator', operator.id, `operator.${change.factor}-${change.change}`, client.address);
    const details = change.passkey ? { name: change.passkey } : {};
    await writeAudit(tx, { ...act, details }, now);
    const from = { clientAddress: client.address, userAgent: client.userAgent };
    const letter = {
      kind: 'operator-factor-changed',
      fullname: operator.name,
      at: now.toISOString(),
      ...from,
      ...change,
    } as const;
    await mail.queue({ tx, to: { name: operator.name, address: operator.email }, letter });
  }

  /** Who may have lost it is signed out wherever it was used. */
  async function removed(act: Act, change: Omit<Change, 'change'>): Promise<void> {
    const { tx, identity, operator, now } = act;
    const others = { operatorId: operator.id, sparedSessionId: identity.sessionId };
    await store.endOperatorSessions(tx, others, now);
    await changed(act, { change: 'removed', ...change });
  }

  const life = (now: Date) => ({ now, expiresAt: new Date(now.getTime() + flowMinutes * minuteMs) });
  const passkeysOf = (at: Db | Tx, operatorId: string) => passkeyStore.passkeysOf(at, { operatorId });

  return {
    async operatorFactors({ operatorId }: { operatorId: string }) {
      const [operator, passkeys, codesLeft] = await Promise.all([
        store.findOperator(db, operatorId),
        passkeysOf(db, operatorId),
        store.countRecoveryCodes(db, operatorId),
      ]);
      return { authenticator: operator !== null && store.hasAuthenticator(operator), passkeys, codesLeft };
    },

    async operatorProofOptions({ operatorId, sessionId }: Asked['identity']): Promise<PasskeyRequest> {
      const passkeys = await passkeysOf(db, operatorId);
      if (passkeys.length === 0) throw new AppError('not_found', 'You have no passkey here.');
      const options = await checks.request(passkeys);
      const { challenge } = options;
      const session = { operatorSessionId: sessionId };
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        await flows.endFlowsOfSession(tx, 'operator-proof', session, now);
        const flow = { purpose: 'operator-proof', operatorId, ...session, challenge } as const;
        await flows.insertFlow(tx, { ...flow, ...life(now) });
      });
      return options;
    },

    /** What it answers is good for minutes, in this session: the factor was shown for it. */
    beginOperatorPasskey: (asked: Asked & { shown: Shown }): Promise<PasskeyCreation> =>
      proven(asked, async ({ tx, operator, identity, now }) => {
        const passkeys = await passkeysOf(tx, operator.id);
        if (passkeys.length >= passkeysMax) throw tooManyPasskeys();
        const { id, name: fullname, email } = operator;
        // The same person may have an account: which of both a passkey is for stands in its name.
        const options = await checks.creation({ id, fullname, email: `${email} (operator)` }, passkeys);
        const session = { operatorSessionId: identity.sessionId };
        await flows.endFlowsOfSession(tx, 'operator-passkey', session, now);
        const { challenge } = options;
        const flow = { purpose: 'operator-passkey', operatorId: id, ...session, challenge } as const;
        await flows.insertFlow(tx, { ...flow, ...life(now) });
        return options;
      }),

    async confirmOperatorPasskey({
      name,
      passkey,
      ...asked
    }: Asked & { name: string; passkey: z.output<typeof PasskeyAttestation> }) {
      const row = await inTransaction(db, async (tx) => {
        const act = await locked(tx, asked);
        const { operator, identity, now } = act;
        if ((await passkeysOf(tx, operator.id)).length >= passkeysMax) throw tooManyPasskeys();
        const key = { operatorSessionId: identity.sessionId };
        const flow = await flows.consumeFlow(tx, 'operator-passkey', key, now);
        if (!flow?.challenge) throw flowOver();
        const made = await checks.made(passkey, flow.challenge);
        const owner = { operatorId: operator.id };
        const added = made && (await passkeyStore.insertPasskey(tx, owner, { name, ...made, now }));
        if (added) await changed(act, { change: 'added', factor: 'passkey', passkey: name });
        return added;
      });
      // Refused out here: what it had to answer is used up by being looked at.
      if (!row) throw factorWrong('This passkey could not be added, or is here already. Try again.');
      return row;
    },

    async removeOperatorPasskey({ passkeyId, ...asked }: Asked & { shown: Shown; passkeyId: string }) {
      const { operatorId } = asked.identity;
      // Somebody else's is nobody's: nothing is asked for to say so.
      if (!(await passkeysOf(db, operatorId)).some(({ id }) => id === passkeyId)) throw gone();
      await proven(asked, async (act) => {
        const { tx, operator } = act;
        const others = (await passkeysOf(tx, operator.id)).filter(({ id }) => id !== passkeyId);
        if (others.length === 0 && !store.hasAuthenticator(operator)) throw onlyOne();
        const row = await passkeyStore.deletePasskey(tx, { operatorId }, passkeyId);
        if (!row) throw gone();
        await removed(act, { factor: 'passkey', passkey: row.name });
      });
    },

    async removeOperatorAuthenticator(asked: Asked & { shown: Shown }): Promise<void> {
      await proven(asked, async (act) => {
        const { tx, operator } = act;
        const { totpConfirmedAt: confirmedAt } = operator;
        if (!store.hasAuthenticator(operator))
          throw new AppError('not_found', 'There is no authenticator to remove.');
        if ((await passkeysOf(tx, operator.id)).length === 0) throw onlyOne();
        // That one was confirmed stays known: without it the password alone would set up the next.
        await store.setTotp(tx, operator.id, { sealed: null, confirmedAt, lastStep: operator.totpLastStep });
        await removed(act, { factor: 'authenticator' });
      });
    },
  };
}
