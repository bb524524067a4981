import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import * as throttle from '../../platform/http/throttle.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { signInRules } from './rules.ts';

/** What is guessed at; operators and investors do not share counters, nor do a password and a second factor. */
type Scope = 'sign-in' | 'operator' | 'factor' | 'operator-factor';

interface Try {
  /** Counted by the address that was typed, whether or not somebody has it; a factor's by the id of whose it is. */
  accountKey: string;
  clientAddress: string;
  /** Where the account was signed in before; null for a stranger. */
  deviceId: string | null;
}

interface Counted {
  all: throttle.Counter[];
  /** The one that is about nobody but whoever tries. */
  own: throttle.Counter;
}

const waysOut = {
  'sign-in':
    'You need not wait in a browser where you signed in before, nor after a password reset with the link that we mail.',
  operator:
    'You need not wait in a browser where you signed in before, nor after npm run operator -- unlock.',
  factor: 'You need not wait in a browser where you signed in before.',
  'step-up': 'You stay signed in.',
  'operator-factor': 'You need not wait after npm run operator -- unlock.',
} as const;

interface TriesNeeds {
  db: Db;
  clock: Clock;
  scope: Scope;
  /** Where it is another than the counters': whoever steps up is signed in already, and has to wait. */
  wayOut?: keyof typeof waysOut;
}

function tooMany(wayOut: keyof typeof waysOut, waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = `Too many failed tries. Try again in ${retryAfterSeconds} s. ${waysOut[wayOut]}`;
  return new AppError('too_many_requests', message, { retryAfterSeconds });
}

/** Neither an e-mail address nor an id has a space, so that the pairs of one account begin alike and those of no other do. */
const pairsOf = (accountKey: string) => `${accountKey} `;

/**
 * Slows down the guessing of passwords and codes, growing, and never for good. A device that the account was signed in with
 * before is counted by itself; strangers are counted per address, per account and address, and together per account.
 */
export function createTries({ db, clock, scope, wayOut = scope }: TriesNeeds) {
  const waitFor = (counter: throttle.Counter, slowdown: throttle.Slowdown) =>
    throttle.waitBeforeTry(db, counter, slowdown, clock.now());

  /** Null when it has failed too often: then it is as good as a stranger. */
  async function countDevice(deviceId: string | null): Promise<Counted | null> {
    if (deviceId === null) return null;
    const own = { scope: `${scope}-device`, subject: deviceId };
    return (await waitFor(own, signInRules.perPair)) > 0 ? null : { all: [own], own };
  }

  async function countStranger({ accountKey, clientAddress }: Try): Promise<Counted> {
    const from = throttle.throttledAddress(clientAddress);
    const address = { scope: `${scope}-address`, subject: from };
    const pair = { scope: `${scope}-pair`, subject: pairsOf(accountKey) + from };
    const account = { scope: `${scope}-account`, subject: accountKey };
    const counted: throttle.Counter[] = [];
    const refuseIf = async (waitMs: number) => {
      if (waitMs === 0) return;
      for (const counter of counted) await throttle.giveBack(db, counter);
      throw tooMany(wayOut, waitMs);
    };
    await refuseIf(await waitFor(address, signInRules.perAddress));
    counted.push(address);
    await refuseIf(await waitFor(pair, signInRules.perPair));
    counted.push(pair);
    // Whoever goes on at a slowed-down pair says nothing new about the account: one address alone cannot hold it up.
    if ((await throttle.hitsOf(db, pair, clock.now())) > signInRules.perPair.from) {
      await refuseIf(await throttle.waitOf(db, account, clock.now()));
    } else {
      await refuseIf(await waitFor(account, signInRules.perAccount));
      counted.push(account);
    }
    return { all: counted, own: pair };
  }

  /** Counts the try as a failed one beforehand; refuses when it has to wait. */
  return async function countTry(tried: Try) {
    const { all, own } = (await countDevice(tried.deviceId)) ?? (await countStranger(tried));
    /** The try was never looked at. */
    const didNotHappen = async () => {
      for (const counter of all) await throttle.giveBack(db, counter);
    };
    return {
      didNotHappen,
      /** The try was a right one: whoever made it starts afresh. What others did stays counted. */
      async wasRight() {
        await didNotHappen();
        await throttle.forget(db, own);
      },
    };
  };
}

/**
 * Lets an account in again, from wherever. Whoever waits because of their address has not been counted with it, so every
 * address begins anew.
 */
export async function forgetTries(
  tx: Tx,
  scope: Scope,
  { accountKey, deviceIds }: { accountKey: string; deviceIds: string[] },
): Promise<void> {
  const begin = { [`${scope}-address`]: '', [`${scope}-pair`]: pairsOf(accountKey) };
  for (const [counters, start] of Object.entries(begin)) {
    const subjects = await throttle.subjectsStartingWith(tx, counters, start);
    for (const subject of subjects) await throttle.forget(tx, { scope: counters, subject });
  }
  await throttle.forget(tx, { scope: `${scope}-account`, subject: accountKey });
  for (const subject of deviceIds) await throttle.forget(tx, { scope: `${scope}-device`, subject });
}
