import type { ErrorCode } from '@tallystick/contract/errors';
import { me, signout } from '@tallystick/contract/operator';
import { devices, type Session } from '@tallystick/contract/users';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiRefusal, callApi } from './api.ts';
import { onConsoleEnded } from './console-session.ts';
import { beginSession, endSession, readSession } from './storage.ts';

const investor = {
  _id: '1',
  token: 'investor-token',
  fullname: 'Ana',
  email: 'ana@example.com',
} as Session;
const fetched = vi.fn<typeof fetch>();
const ended = vi.fn();
let stopListening: () => void;

const refuse = (status: number, code: ErrorCode) =>
  fetched.mockResolvedValue(Response.json({ code, message: 'No.' }, { status }));
const sentHeaders = () => new Headers(fetched.mock.lastCall?.[1]?.headers);

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  beginSession(investor);
  stopListening = onConsoleEnded(ended);
});

afterEach(() => {
  stopListening();
  endSession('signed out');
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

describe('the two sessions of one browser', () => {
  it('an investor’s token never travels with a call of the console', async () => {
    fetched.mockImplementation(async () => Response.json({}));
    await callApi(me, {});
    expect(sentHeaders().has('authorization')).toBe(false);
    await callApi(devices, {});
    expect(sentHeaders().get('authorization')).toBe(`Bearer ${investor.token}`);
  });

  it('an ended session of the console is told to the console and leaves the investor signed in', async () => {
    refuse(401, 'unauthenticated');
    await expect(callApi(me, {})).rejects.toBeInstanceOf(ApiRefusal);
    expect(ended).toHaveBeenCalledOnce();
    expect(readSession()?.token).toBe(investor.token);
  });

  it('an investor’s ended session leaves the console alone', async () => {
    refuse(401, 'unauthenticated');
    await expect(callApi(devices, {})).rejects.toBeInstanceOf(ApiRefusal);
    expect(readSession()).toBeNull();
    expect(ended).not.toHaveBeenCalled();
  });

  it('a wrong code is no ended session, and logging out twice is none either', async () => {
    refuse(401, 'totp_wrong');
    await expect(callApi(me, {})).rejects.toMatchObject({ code: 'totp_wrong' });
    refuse(401, 'unauthenticated');
    await expect(callApi(signout, {}, { leaving: true })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('an answer that is not ours', () => {
  it.each([
    ['a proxy’s error page', 502],
    ['somebody’s page in the place of an answer', 200],
  ])('%s is an error that was answered, in words for the person who reads it', async (_, status) => {
    fetched.mockResolvedValue(new Response('<h1>Sorry</h1>', { status }));
    const answered = { name: 'ApiRefusal', status, code: 'internal' };
    await expect(callApi(devices, {})).rejects.toMatchObject({
      ...answered,
      message: expect.stringMatching(/^The server answered with an error/),
    });
  });
});
