import { pathOf } from '@tallystick/contract/call';
import { register, type Session, signin, signout, verifycode, viewprofile } from '@tallystick/contract/users';
import type { Mailbox } from './mailbox.ts';

export interface Person {
  userid: string;
  fullname: string;
  email: string;
  password: string;
}

export const goodPassword = 'notched hazel 1826';

let counter = 0;

/** Limits are kept per client address: with one of their own, tests and people do not slow each other down. */
export function newAddress(): string {
  counter += 1;
  return `10.20.${counter >> 8}.${counter & 255}`;
}

export function newEmail(): string {
  counter += 1;
  return `person-${counter}@example.com`;
}

/** People whose accounts are made by calling the API from outside a browser, for tests of what comes after. */
export function createPeople({ siteUrl, mailbox }: { siteUrl: string; mailbox: Mailbox }) {
  async function send(method: string, path: string, body: object | null, token?: string): Promise<Response> {
    return fetch(siteUrl + path, {
      method,
      headers: {
        'x-forwarded-for': newAddress(),
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body && JSON.stringify(body),
    });
  }

  async function mustSend<T>(path: string, body: object | null, token?: string): Promise<T> {
    const answer = await send('POST', path, body, token);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async function unverified(fullname = 'Wren Hollis'): Promise<Person> {
    const person = { fullname, email: newEmail(), password: goodPassword };
    return { ...person, ...(await mustSend<{ userid: string }>(pathOf(register), person)) };
  }

  return {
    unverified,

    async verified(fullname?: string): Promise<Person> {
      const person = await unverified(fullname);
      const { code } = await mailbox.code(person.email, 'activation');
      await mustSend(pathOf(verifycode, { userid: person.userid }), { code });
      return person;
    },

    /** The status of a sign-in with these details. */
    async signInStatus({ email, password }: { email: string; password: string }): Promise<number> {
      return (await send('POST', pathOf(signin), { email, password })).status;
    },

    async signOut({ token }: Session): Promise<void> {
      await mustSend(pathOf(signout), null, token);
    },

    /** What the server answers to whoever holds this token. */
    async profileStatus({ token }: Session): Promise<number> {
      return (await send('GET', pathOf(viewprofile), null, token)).status;
    },
  };
}

export type People = ReturnType<typeof createPeople>;
