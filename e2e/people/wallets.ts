import { randomBytes } from 'node:crypto';
import { bech32 } from '@scure/base';
import { type Call, type CallAnswer, type CallInput, pathOf } from '@tallystick/contract/call';
import { addbalance, fetchpaymentmethod } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { toWire } from '@tallystick/contract/money';
import type { Network } from '@tallystick/contract/networks';
import { confirmdeposit } from '@tallystick/contract/operator/queue';
import { type Session, signin } from '@tallystick/contract/users';
import { fetchallwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import type { Operators } from './operators.ts';
import { newAddress, type People, type Person } from './people.ts';

/** An address that the network of Bitcoin takes, and that nothing else was sent to today. */
export const newBitcoinAddress = (prefix: 'bc' | 'bcrt' = 'bc'): string =>
  bech32.encode(prefix, [0, ...bech32.toWords(randomBytes(20))]);

let payments = 0;

/** Payments are known again by their id on the chain, so each has one of its own. */
export function newPayment(): string {
  payments += 1;
  return String(payments).padStart(64, '0');
}

export interface Owner {
  person: Person;
  session: Session;
}

interface WalletsNeeds {
  siteUrl: string;
  people: People;
  operators: Operators;
}

/** Investors with money, made by calling the API from outside a browser, for tests of what comes after. */
export function createWallets({ siteUrl, people, operators }: WalletsNeeds) {
  async function call<C extends Call>(what: C, input: CallInput<C>, token?: string): Promise<CallAnswer<C>> {
    const { params, body } = input as { params?: Record<string, string>; body?: object };
    const answer = await fetch(siteUrl + pathOf(what, params), {
      method: what.method,
      headers: {
        'x-forwarded-for': newAddress(),
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    if (!answer.ok) throw new Error(`${what.path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as CallAnswer<C>;
  }

  /** Announces a deposit; nobody has confirmed it yet. */
  async function announce({ session }: Owner, cents: bigint, fundingtypename = 'Bitcoin') {
    const body = { fundingtypename, amount: toWire(cents) };
    return (await call(addbalance, { body }, session.token)).request;
  }

  return {
    announce,

    /** Somebody whose wallet holds this much; by default nothing. */
    async owner({ fullname, cents = 0n }: { fullname?: string; cents?: bigint } = {}): Promise<Owner> {
      const person = await people.verified(fullname);
      const { email, password } = person;
      const session = await call(signin, { body: { email, password } });
      if (cents === 0n) return { person, session };
      // A cent more than was asked for takes two: what one of them confirms alone stays what a test is about.
      const { _id: id } = await announce({ person, session }, cents - 1n);
      const body = { received: toWire(cents), chaintransactionid: newPayment() };
      for (const operator of [await operators.first(), await operators.second()]) {
        await operator.press(confirmdeposit, { params: { id }, body });
      }
      return { person, session };
    },

    async askForWithdrawal(
      { session }: Owner,
      cents: bigint,
      { to = newBitcoinAddress(), on = 'bitcoin' }: { to?: string; on?: Network } = {},
    ) {
      const method = (await call(fetchallwithdrawal, {})).data.find(({ network }) => network === on);
      const body = {
        userid: session._id,
        withdrawalid: method?._id ?? '',
        withdrawalamount: toWire(cents),
        withdrawaladdress: to,
      };
      return (await call(makenewwithdrawal, { body }, session.token)).withdrawal;
    },

    /** Where a deposit of theirs is to be sent. */
    async payTo({ session }: Owner, paymentname: string): Promise<string> {
      const { data } = await call(fetchpaymentmethod, {}, session.token);
      return data.find((method) => method.paymentname === paymentname)?.paymentaddress ?? '';
    },

    /** What the server says belongs to them. */
    sums: ({ session }: Owner) => call(summary, {}, session.token),
  };
}

export type Wallets = ReturnType<typeof createWallets>;
