import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { me, signin } from '@tallystick/contract/operator/session';
import { viewprofile } from '@tallystick/contract/users';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryCall } from '../testing/call.ts';
import { signedInOperator } from '../testing/operators.ts';
import { newAddress, signedIn } from '../testing/people.ts';
import { startTestApp, type TestApp } from '../testing/start-app.ts';

const command = fileURLToPath(new URL('operator.ts', import.meta.url));

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** What the command, or another one, says and how it ended. */
async function run(
  args: string[],
  password = '',
  program = command,
): Promise<{ code: number; said: string }> {
  // Vitest's own MODE is not ours.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: test.database.url, OPERATOR_PASSWORD: password };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd: tmpdir(),
      env,
    });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, said: stderr };
  }
}

const wren = ['--email', 'wren@example.com'];
const signIn = async (password: string) => {
  const body = { email: 'wren@example.com', password };
  const { code } = await tryCall(test, signin, { body, from: newAddress() });
  return code === 'done' ? 'may enter' : code;
};

it('makes an operator, gives a new password, and takes the operator away again', async () => {
  expect(await run(['list'])).toEqual({ code: 0, said: 'There are no operators yet.\n' });
  const create = ['create', ...wren, '--name', 'Wren Hollis'];
  expect(await run(create, 'too short')).toEqual({
    code: 1,
    said: "An operator's password has at least 15 characters.\n",
  });
  expect((await run(create, 'seven sticks of hazel')).code).toBe(0);
  expect((await run(create, 'seven sticks of hazel')).said).toContain('exists already');
  expect((await run(['list'])).said).toBe('wren@example.com  Wren Hollis  not signed in yet\n');
  expect(await signIn('seven sticks of hazel')).toBe('may enter');

  expect((await run(['set-password', ...wren], 'eight sticks of hazel')).code).toBe(0);
  expect(await signIn('seven sticks of hazel')).toBe('wrong_credentials');
  expect(await signIn('eight sticks of hazel')).toBe('may enter');

  expect((await run(['reset-totp', ...wren])).code).toBe(0);
  expect((await run(['disable', ...wren])).code).toBe(0);
  expect(await signIn('eight sticks of hazel')).toBe('wrong_credentials');
  expect((await run(['disable', ...wren])).said).toContain('no active operator');
});

it('lets an operator in again whom failed tries hold up, and leaves a trace', async () => {
  const robin = { email: 'robin@example.com', password: 'nine sticks of hazel' };
  const named = ['--email', robin.email];
  await run(['create', ...named, '--name', 'Robin Ash'], robin.password);
  const from = newAddress();
  const enter = async (password: string) => {
    const body = { email: robin.email, password };
    return (await tryCall(test, signin, { body, from })).status;
  };
  for (let n = 0; n < 5; n += 1) await enter('not this one at all');
  expect(await enter(robin.password)).toBe(429);
  expect(await run(['unlock', ...named])).toEqual({
    code: 0,
    said: 'robin@example.com can try to sign in again at once.\n',
  });
  expect(await enter(robin.password)).toBe(200);
  const { rowCount } = await test.context.owner.query(
    "select from audit_log where action = 'operator.unlocked' and actor_kind = 'system'",
  );
  expect(rowCount).toBe(1);
  expect((await run(['unlock', '--email', 'nobody@example.com'])).said).toContain('no active operator');
});

it('npm run signout ends the sessions of one investor, or of everyone, at once', async () => {
  const signOut = (...args: string[]) => run(args, '', command.replace('operator.ts', 'sign-out.ts'));
  const [ada, bob, carol] = [await signedIn(test), await signedIn(test), await signedInOperator(test)];
  const states = async () => [
    (await tryCall(test, viewprofile, { as: ada })).status,
    (await tryCall(test, viewprofile, { as: bob })).status,
    (await tryCall(test, me, { as: carol })).status,
  ];
  expect(await states()).toEqual([200, 200, 200]);
  expect((await signOut('--email', ada.email.toUpperCase())).code).toBe(0);
  expect(await states()).toEqual([401, 200, 200]);
  expect((await signOut('--everyone')).code).toBe(0);
  expect(await states()).toEqual([401, 401, 401]);
  expect((await signOut('--email', 'nobody@example.com')).said).toContain('no account');
  const { rowCount } = await test.context.owner.query(
    "select from audit_log where action = 'session.ended-by-house' and actor_kind = 'system'",
  );
  expect(rowCount).toBe(2);
});

it('says how it is used when it is not understood', async () => {
  const { code, said } = await run(['promote', ...wren]);
  expect([code, said]).toEqual([1, expect.stringContaining('Usage:')]);
});
