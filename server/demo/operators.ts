import { totpSeconds } from '@tallystick/contract/operator';
import { readSamplePeople } from '../config/content.ts';
import type { Context } from '../context.ts';
import { createOperatorAccounts, totpAt } from '../modules/users/service.ts';
import { ownersDb } from '../platform/db.ts';
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

/** Their passwords and secrets are published: a database that was once a demo's must not be used for real with them. */
export async function refuseSampleOperators({
  owner,
  clock,
}: Pick<Context, 'owner' | 'clock'>): Promise<void> {
  const sample = new Set(readSamplePeople().operators.map(({ email }) => email));
  const operators = await createOperatorAccounts({ owner: ownersDb(owner), clock }).listOperators();
  const found = operators.filter(({ email, disabledAt }) => !disabledAt && sample.has(email));
  if (found.length === 0) return;
  const names = found.map(({ email }) => email).join(', ');
  throw new Error(`The sample operators ${names} are active: npm run operator -- disable --email …`);
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
