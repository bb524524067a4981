import { type Call, type CallAnswer, type CallInput, pathOf } from '@tallystick/contract/call';
import { addbalance, fetchpaymentmethod } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { toWire } from '@tallystick/contract/money';
import { confirmdeposit } from '@tallystick/contract/operator';
import { type Session, signin } from '@tallystick/contract/users';
import { fetchallwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import type { Operators } from './operators.ts';
import { newAddress, type People, type Person } from './people.ts';

/** An address that the network of Bitcoin takes. */
export const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

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

  async function networkOf(method: string): Promise<string> {
    const { data } = await call(fetchpaymentmethod, {});
    return data.find(({ paymentname }) => paymentname === method)?.network ?? '';
  }

  return {
    announce,

    /** Somebody whose wallet holds this much; by default nothing. */
    async owner({ fullname, cents = 0n }: { fullname?: string; cents?: bigint } = {}): Promise<Owner> {
      const person = await people.verified(fullname);
      const { email, password } = person;
      const session = await call(signin, { body: { email, password } });
      if (cents === 0n) return { person, session };
      const { _id: id, fundingtype } = await announce({ person, session }, cents);
      const body = {
        received: toWire(cents),
        network: await networkOf(fundingtype),
        chaintransactionid: newPayment(),
      };
      await (await operators.first()).press(confirmdeposit, { params: { id }, body });
      return { person, session };
    },

    async askForWithdrawal({ session }: Owner, cents: bigint) {
      const method = (await call(fetchallwithdrawal, {})).data.find(({ network }) => network === 'bitcoin');
      const body = {
        userid: session._id,
        withdrawalid: method?._id ?? '',
        withdrawalamount: toWire(cents),
        withdrawaladdress: bitcoinAddress,
      };
      return (await call(makenewwithdrawal, { body }, session.token)).withdrawal;
    },

    /** What the server says belongs to them. */
    sums: ({ session }: Owner) => call(summary, {}, session.token),
  };
}

export type Wallets = ReturnType<typeof createWallets>;
