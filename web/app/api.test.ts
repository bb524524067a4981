import type { ErrorCode } from '@tallystick/contract/errors';
import { summary } from '@tallystick/contract/ledger';
import { queue } from '@tallystick/contract/operator/queue';
import { me, signout } from '@tallystick/contract/operator/session';
import { changepassword, devices, type Session, viewprofile } from '@tallystick/contract/users';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiRefusal, callApi, onConsoleEnded, onStepUp } from './api.ts';
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
  fetched.mockImplementation(async () => Response.json({ code, message: 'No.' }, { status }));
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

describe('a session that is over', () => {
  const asScreen = () => [devices, summary, viewprofile].map((call) => callApi(call, {}, { inTurn: true }));
  const outcomes = async (asked: Promise<unknown>[]) =>
    (await Promise.allSettled(asked)).map(({ status }) => status);

  it('is found out by one question; the others of the screen are never sent', async () => {
    refuse(401, 'unauthenticated');
    expect(await outcomes(asScreen())).toEqual(['rejected', 'rejected', 'rejected']);
    expect(fetched).toHaveBeenCalledOnce();
    expect(readSession()).toBeNull();
  });

  it('is not asked for anything any more', async () => {
    endSession('expired');
    expect(await outcomes(asScreen())).toEqual(['rejected', 'rejected', 'rejected']);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('of the console is found out by one question, too', async () => {
    refuse(401, 'unauthenticated');
    const background = { inTurn: true, background: true };
    const asked = [me, queue].map((call) => callApi(call, {}, background));
    expect(await outcomes(asked)).toEqual(['rejected', 'rejected']);
    expect(fetched).toHaveBeenCalledOnce();
  });
});

describe('a session that lives', () => {
  const background = { inTurn: true, background: true };
  const answered = async () => Response.json({});

  it('lets the others of the screen through with its first answer, also when that is no', async () => {
    fetched.mockImplementationOnce(async () =>
      Response.json({ code: 'internal', message: '' }, { status: 500 }),
    );
    fetched.mockImplementation(answered);
    const asked = [devices, summary, viewprofile].map((call) => callApi(call, {}, background));
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('is asked by a screen in as many tasks as there are questions, so that it is drawn in between', async () => {
    fetched.mockImplementation(answered);
    const asked = [devices, summary, viewprofile].map((call) => callApi(call, {}, { inTurn: true }));
    // What is left of the task that is running is not enough for any of them.
    for (let rest = 0; rest < 20; rest += 1) await Promise.resolve();
    expect(fetched).not.toHaveBeenCalled();
    await Promise.all(asked);
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  it('is not asked any more by a screen whose reader has signed out meanwhile', async () => {
    fetched.mockImplementation(answered);
    const asked = [devices, summary].map((call) => callApi(call, {}, { inTurn: true }));
    endSession('signed out');
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('does not let a slow answer hold up the others', async () => {
    vi.useFakeTimers();
    const held = Promise.withResolvers<Response>();
    fetched.mockReturnValueOnce(held.promise);
    fetched.mockImplementation(answered);
    const slow = callApi(devices, {}, background);
    const other = callApi(summary, {}, background);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await other).toEqual({});
    vi.useRealTimers();
    held.resolve(await answered());
    await slow;
  });
});

describe('a call that the server wants to be sure about', () => {
  const asked = vi.fn<Parameters<typeof onStepUp>[0]>();
  const input = { body: { password: 'old', passwordnew: 'new' } };
  const options = { idempotencyKey: 'of this filled form' };
  const demand = () =>
    fetched.mockImplementationOnce(async () =>
      Response.json({ code: 'step_up_required', message: 'No.', ways: ['code'] }, { status: 403 }),
    );
  const requests = () =>
    fetched.mock.calls.map(([address, init]) => ({
      address,
      body: init?.body,
      headers: Object.fromEntries(new Headers(init?.headers)),
    }));
  let stopAsking: () => void;

  beforeEach(() => {
    stopAsking = onStepUp(asked);
  });
  afterEach(() => stopAsking());

  it('is made again, the very same, once somebody has said who is there', async () => {
    demand();
    asked.mockResolvedValueOnce(true);
    fetched.mockImplementation(async () => Response.json({ message: 'Done.' }));
    expect(await callApi(changepassword, input, options)).toEqual({ message: 'Done.' });
    expect(asked).toHaveBeenCalledExactlyOnceWith(['code']);
    const [first, second, ...more] = requests();
    expect(first?.headers['idempotency-key']).toBe(options.idempotencyKey);
    expect(second).toEqual(first);
    expect(more).toEqual([]);
  });

  it('is refused when nobody says so, or there is nobody to ask', async () => {
    const refused = { code: 'step_up_required', ways: ['code'] };
    demand();
    asked.mockResolvedValueOnce(false);
    await expect(callApi(changepassword, input)).rejects.toMatchObject(refused);
    stopAsking();
    demand();
    await expect(callApi(changepassword, input)).rejects.toMatchObject(refused);
    expect(asked).toHaveBeenCalledOnce();
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('is not asked about twice', async () => {
    demand();
    demand();
    asked.mockResolvedValue(true);
    await expect(callApi(changepassword, input)).rejects.toMatchObject({ code: 'step_up_required' });
    expect(asked).toHaveBeenCalledOnce();
    expect(fetched).toHaveBeenCalledTimes(2);
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

it('a fault of ours is told with what support finds it by; no other refusal is', async () => {
  const answers = (status: number, code: ErrorCode) => {
    const headers = { 'x-request-id': '7f1b9a04-c6d2-4f0e-8d1c-3b5a79e2f486' };
    fetched.mockResolvedValueOnce(Response.json({ code, message: 'No.' }, { status, headers }));
    return expect(callApi(devices, {})).rejects;
  };
  await answers(500, 'internal').toMatchObject({ message: 'No. Reference 7f1b9a04.' });
  await answers(503, 'busy').toMatchObject({ message: 'No.' });
  refuse(500, 'internal');
  await expect(callApi(devices, {})).rejects.toMatchObject({ message: 'No.' });
});
