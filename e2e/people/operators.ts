import type { APIRequest, BrowserContextOptions } from '@playwright/test';
import { type Call, type CallAnswer, type CallInput, pathOf } from '@tallystick/contract/call';
import { demoOperators } from '@tallystick/contract/demo';
import { type Operator, signin } from '@tallystick/contract/operator/session';
import { newAddress } from './people.ts';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** One of the two whom the demo has, signed in once for all the tests of a worker. */
interface SignedInOperator {
  name: string;
  /** What a browser must hold to be theirs. */
  state: StorageState;
  /** Does something without a browser, for tests of what comes after. */
  press<C extends Call>(call: C, input: CallInput<C>): Promise<CallAnswer<C>>;
}

export interface Operators {
  first(): Promise<SignedInOperator>;
  second(): Promise<SignedInOperator>;
}

interface OperatorsNeeds {
  siteUrl: string;
  request: APIRequest;
}

/** No code works twice, and the demo hands out two in half a minute: whoever has signed in stays signed in. */
export function createOperators({ siteUrl, request }: OperatorsNeeds): Operators {
  let signedIn: Promise<SignedInOperator[]> | undefined;

  async function signInBoth(): Promise<SignedInOperator[]> {
    const answer = await fetch(siteUrl + pathOf(demoOperators));
    const { operators } = demoOperators.answer.parse(await answer.json());
    return Promise.all(operators.map(signIn));
  }

  async function signIn(details: { email: string; password: string; code: string }) {
    const { email, password, code } = details;
    const browser = await request.newContext({
      baseURL: siteUrl,
      // A cookie alone is not enough for the console: the request must come from its own page.
      extraHTTPHeaders: { origin: siteUrl, 'x-forwarded-for': newAddress() },
    });

    async function press<C extends Call>(call: C, input: CallInput<C>): Promise<CallAnswer<C>> {
      const { params, body } = input as { params?: Record<string, string>; body?: object };
      const answer = await browser.fetch(pathOf(call, params), { method: call.method, data: body });
      if (!answer.ok()) throw new Error(`${call.path}: ${answer.status()} ${await answer.text()}`);
      return (await answer.json()) as CallAnswer<C>;
    }

    const { operator } = await press(signin, { body: { email, password, code } });
    return { name: nameOf(operator), state: await browser.storageState(), press };
  }

  const one = (at: 0 | 1) => async () => {
    signedIn ??= signInBoth();
    const operator = (await signedIn)[at];
    if (!operator) throw new Error('the demo has two operators');
    return operator;
  };
  return { first: one(0), second: one(1) };
}

function nameOf(operator: Operator | null): string {
  if (!operator) throw new Error('this operator has not set up an authenticator');
  return operator.name;
}
