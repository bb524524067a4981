import { flowMinutes, type PasskeyRequest } from '@tallystick/contract/factors';
import { AppError } from '../../../platform/app-error.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/postgres/db.ts';
import type { AccountsNeeds } from '../accounts.ts';
import { type Credentials, createPasswordCheck, newToken } from '../credentials.ts';
import type { BroughtBy } from '../factors/beginning.ts';
import * as flows from '../factors/flow-store.ts';
import { passkeysOf } from '../factors/passkey-store.ts';
import type { PasskeyChecks } from '../factors/passkeys.ts';
import { passwordMark } from '../factors/rules.ts';
import { factorWrong, flowOver, type Shown } from '../factors/showing.ts';
import { sameBytes, sha256 } from '../rules.ts';
import type { BeginOperator, BegunByOperator } from './beginning.ts';
import type { ShowByOperator } from './showing.ts';
import { findOperatorByEmail, lockOperator, type OperatorRow } from './store.ts';

interface PasskeySignInNeeds extends Pick<AccountsNeeds, 'db' | 'clock' | 'hashing'> {
  /** E-mail keys that are treated as if nobody had them. */
  refused: ReadonlySet<string>;
  checks: PasskeyChecks;
  begin: BeginOperator;
  show: ShowByOperator;
}

/**
 * A passkey in the place of the code, after the password. Not in the place of both, as an investor's may be: one that is
 * kept by a provider is as safe as the account there, and an operator decides about the money of others.
 */
export function createOperatorPasskeySignIn(needs: PasskeySignInNeeds) {
  const { db, clock, checks, begin, show } = needs;
  const check = createPasswordCheck({ ...needs, kind: 'operator', find: findOperatorByEmail });

  const isItsPassword = ({ passwordMark: mark }: flows.Flow, operator: OperatorRow) =>
    mark !== null && sameBytes(mark, passwordMark(operator.passwordHash));

  return {
    async operatorSignInOptions(
      input: Credentials,
    ): Promise<{ options: PasskeyRequest; flowSecret: string }> {
      const { person: operator, counted } = await check.withPassword(input);
      // Neither right nor wrong yet. As a right one it would forget the wrong codes that were tried before.
      await counted.didNotHappen();
      const passkeys = await passkeysOf(db, { operatorId: operator.id });
      if (passkeys.length === 0)
        throw new AppError('not_found', 'You have no passkey here. Enter the code of your authenticator.');
      const options = await checks.request(passkeys);
      const flowSecret = newToken();
      const now = clock.now();
      await flows.insertFlow(db, {
        purpose: 'operator-sign-in',
        secretHash: sha256(flowSecret),
        operatorId: operator.id,
        passwordMark: passwordMark(operator.passwordHash),
        challenge: options.challenge,
        now,
        expiresAt: new Date(now.getTime() + flowMinutes * minuteMs),
      });
      return { options, flowSecret };
    },

    /** One try: the question is used up by being answered. */
    async signInOperatorByPasskey(
      input: { flowSecret: string | null; passkey: NonNullable<Shown['passkey']> } & BroughtBy,
    ): Promise<BegunByOperator> {
      const { flowSecret, passkey, ...by } = input;
      const { client } = by;
      const done = await inTransaction(db, async (tx) => {
        const key = flowSecret === null ? null : { secretHash: sha256(flowSecret) };
        const flow = key && (await flows.consumeFlow(tx, 'operator-sign-in', key, clock.now()));
        const operator = flow?.operatorId ? await lockOperator(tx, flow.operatorId) : null;
        if (!flow || !operator || !isItsPassword(flow, operator))
          throw flowOver('Enter your e-mail address and your password once more.');
        const { challenge } = flow;
        const factor = await show(tx, { operator, shown: { passkey }, challenge, client });
        const begun = factor && (await begin(tx, operator, by, 'operator.signed-in-by-passkey'));
        return { operator, begun };
      });
      if (done.begun) return done.begun;
      await check.refusal('operator.passkey-refused', client, done.operator);
      throw factorWrong('This passkey was not accepted. Try again.');
    },
  };
}
