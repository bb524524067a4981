import { randomBytes } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import { writeRefusal } from '../../platform/audit/refusal-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { knownDevice } from './devices.ts';
import type { Hashing } from './hashing.ts';
import { emailKey } from './rules.ts';
import { createTries } from './tries.ts';

/** Who asks, as far as the connection tells. */
export interface Client {
  address: string;
  userAgent: string;
}

export interface Credentials {
  email: string;
  password: string;
  client: Client;
  /** What the browser says it is known by. */
  deviceSecret: string | null;
  /** Of the session that the browser comes with, whoever's it is: the new one takes its place. */
  sessionCookie: string | null;
}

const userAgentLengthMax = 300;
export const keptUserAgent = ({ userAgent }: Client) => userAgent.slice(0, userAgentLengthMax);
export const newToken = () => randomBytes(32).toString('base64url');

export const wrongCredentials = () =>
  new AppError('wrong_credentials', 'The e-mail address or the password is wrong.');

interface PasswordCheckNeeds<Person> {
  db: Db;
  clock: Clock;
  hashing: Hashing;
  /** E-mail keys that are treated as if nobody had them. */
  refused: ReadonlySet<string>;
  kind: 'investor' | 'operator';
  find(db: Db, key: string): Promise<Person | null>;
}

/** The password alone. The try stays counted as a failed one until the caller says that it was right. */
export function createPasswordCheck<Person extends { id: string; passwordHash: string }>(
  needs: PasswordCheckNeeds<Person>,
) {
  const { db, clock, hashing, refused, kind, find } = needs;
  const isInvestor = kind === 'investor';
  const countTry = createTries({ db, clock, scope: isInvestor ? 'sign-in' : 'operator' });

  async function refusal(action: string, { address: clientAddress }: Client, person: Person | null) {
    const about = person ? { subjectId: person.id } : {};
    await writeRefusal(db, { actor: { kind: 'nobody' }, action, ...about, clientAddress }, clock.now());
  }

  async function withPassword({ email, password, client, deviceSecret }: Credentials) {
    const key = emailKey(email);
    const deviceId = await knownDevice(db, kind, key, deviceSecret);
    const counted = await countTry({ accountKey: key, clientAddress: client.address, deviceId });
    const person = refused.has(key) ? null : await find(db, key);
    const right = await hashing.matches(person?.passwordHash ?? null, password).catch(async (error) => {
      await counted.didNotHappen();
      throw error;
    });
    if (person && right) return { person, counted };
    await refusal(isInvestor ? 'session.refused' : 'operator.refused', client, person);
    throw wrongCredentials();
  }

  return { withPassword, refusal };
}
