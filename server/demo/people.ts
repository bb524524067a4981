import { totpSeconds } from '@tallystick/contract/operator/session';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { readSamplePeople } from '../config/content.ts';
import { totpAt } from '../modules/users/factors/authenticator.ts';
import { createOperatorAccounts } from '../modules/users/operators/accounts.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, ownersDb } from '../platform/postgres/db.ts';
import type { SamplePeople } from '../platform/postgres/installation.ts';
import { createSealer } from '../platform/sealing.ts';
import { usedSteps } from './sample-store.ts';

/** The sample investor of demo mode. The details are printed at start and offered on the sign-in page. */
export const demoInvestor = {
  fullname: 'Amara Okonkwo',
  email: 'amara@example.com',
  password: 'two halves match',
} as const;

/** Everyone whom a demo makes. */
export function samplePeople(): SamplePeople {
  const { operators, investors } = readSamplePeople();
  return {
    operators: operators.map(({ email }) => email),
    investors: [demoInvestor, ...investors].map(({ email }) => email),
  };
}

const stepMs = totpSeconds * 1000;

/** The two sample operators, so that what needs a second one can be tried. */
export async function seedOperators(needs: { config: Config; owner: pg.Pool; clock: Clock }): Promise<void> {
  const { config, owner, clock } = needs;
  const accounts = createOperatorAccounts({ owner: ownersDb(owner), clock });
  const known = new Set((await accounts.listOperators()).map(({ email }) => email));
  const sealer = createSealer(config.secrets.totp);
  for (const { name, email, password, totpSecret: secret } of readSamplePeople().operators) {
    if (known.has(email)) continue;
    await accounts.createOperator({ name, email, password });
    await accounts.enrolWithSecret({ email, secret, sealer });
  }
}

/**
 * What the sign-in page of a demo fills in. No code works twice: asked again at once, or after one was used on another
 * server, it is the next one.
 */
export function demoOperators({ db, clock }: { db: Db; clock: Clock }) {
  const handedOut = new Map<string, number>();
  return async () => {
    const used = await usedSteps(db);
    return readSamplePeople().operators.map(({ name, email, password, totpSecret }) => {
      const now = Math.floor(clock.now().getTime() / stepMs);
      const last = Math.max(handedOut.get(email) ?? 0, used.get(email) ?? 0);
      const step = Math.min(now + 1, Math.max(now, last + 1));
      handedOut.set(email, step);
      return { name, email, password, code: totpAt(totpSecret, new Date(step * stepMs)) };
    });
  };
}
