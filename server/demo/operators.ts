import { totpSeconds } from '@tallystick/contract/operator/session';
import { readSamplePeople } from '../config/content.ts';
import type { Context } from '../context.ts';
import { createOperatorAccounts, totpAt } from '../modules/users/service.ts';
import { ownersDb } from '../platform/postgres/db.ts';
import { createSealer } from '../platform/sealing.ts';

const stepMs = totpSeconds * 1000;

/** The two sample operators, so that what needs a second one can be tried. */
export async function seedOperators({ config, owner, clock }: Context): Promise<void> {
  const accounts = createOperatorAccounts({ owner: ownersDb(owner), clock });
  const known = new Set((await accounts.listOperators()).map(({ email }) => email));
  const sealer = createSealer(config.secrets.totp);
  for (const { name, email, password, totpSecret: secret } of readSamplePeople().operators) {
    if (known.has(email)) continue;
    await accounts.createOperator({ name, email, password });
    await accounts.enrolWithSecret({ email, secret, sealer });
  }
}

/** What the sign-in page of a demo fills in. No code works twice: asked again at once, it is the next one. */
export function demoOperators({ clock }: Pick<Context, 'clock'>) {
  const handedOut = new Map<string, number>();
  return () =>
    readSamplePeople().operators.map(({ name, email, password, totpSecret }) => {
      const now = Math.floor(clock.now().getTime() / stepMs);
      const step = Math.min(now + 1, Math.max(now, (handedOut.get(email) ?? 0) + 1));
      handedOut.set(email, step);
      return { name, email, password, code: totpAt(totpSecret, new Date(step * stepMs)) };
    });
}
