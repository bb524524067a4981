/**
 * Makes and keeps operators. It acts as the owner of the database, which the running server does not.
 *   npm run operator -- create --email a@example.com --name "A Name"   (password from a prompt or OPERATOR_PASSWORD)
 *   npm run operator -- list
 *   npm run operator -- disable --email a@example.com
 *   npm run operator -- reset-totp --email a@example.com
 *   npm run operator -- set-password --email a@example.com
 *   npm run operator -- unlock --email a@example.com                   (after too many failed sign-ins)
 */
import { stdin, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { operatorPasswordLengthMin } from '@tallystick/contract/operator/session';
import { createOperatorAccounts } from '../modules/users/operators/accounts.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { openOwner, ownersDb } from '../platform/postgres/db.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { openDatabase } from './open-database.ts';

const say = (line: string) => stdout.write(`${line}\n`);
const logger = createLogger('silent');
const usage =
  'Usage: npm run operator -- create --email E --name N | list | disable --email E | reset-totp --email E | set-password --email E | unlock --email E';

/** Reads a line without showing it; from a pipe, the first line. */
async function readHidden(question: string): Promise<string> {
  stdout.write(question);
  if (stdin.isTTY) stdin.setRawMode(true);
  let typed = '';
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === '\u0003') throw new Error('Stopped.');
        if (character === '\r' || character === '\n') return typed;
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
    stdout.write('\n');
  }
}

async function choosePassword(): Promise<string> {
  if (process.env.OPERATOR_PASSWORD) return process.env.OPERATOR_PASSWORD;
  return readHidden(`Password (at least ${operatorPasswordLengthMin} characters): `);
}

type Accounts = ReturnType<typeof createOperatorAccounts>;

async function list(accounts: Accounts): Promise<void> {
  const operators = await accounts.listOperators();
  if (operators.length === 0) say('There are no operators yet.');
  for (const { name, email, totpConfirmedAt, disabledAt } of operators) {
    const state = disabledAt ? 'disabled' : totpConfirmedAt ? 'with authenticator' : 'not signed in yet';
    say(`${email}  ${name}  ${state}`);
  }
}

async function obey(accounts: Accounts): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { email: { type: 'string' }, name: { type: 'string' } },
  });
  const [verb] = positionals;
  const { email, name } = values;
  if (verb === 'list') return list(accounts);
  if (verb === 'create' && email && name) {
    await accounts.createOperator({ email, name, password: await choosePassword() });
    return void say(`${email} can sign in at /operator/login; the first sign-in sets up the authenticator.`);
  }
  if (verb === 'disable' && email) {
    await accounts.disableOperator({ email });
    return void say(`${email} is disabled and signed out everywhere.`);
  }
  if (verb === 'reset-totp' && email) {
    await accounts.resetTotp({ email });
    return void say(`${email} sets up a new authenticator at the next sign-in.`);
  }
  if (verb === 'set-password' && email) {
    await accounts.setOperatorPassword({ email, password: await choosePassword() });
    return void say(`${email} has a new password and is signed out everywhere.`);
  }
  if (verb === 'unlock' && email) {
    await accounts.unlockOperator({ email });
    return void say(`${email} can try to sign in again at once.`);
  }
  throw new Error(usage);
}

async function main(): Promise<void> {
  const { url, stop } = await openDatabase(logger);
  const owner = openOwner(url, logger);
  try {
    await migrate(owner);
    await obey(createOperatorAccounts({ owner: ownersDb(owner), clock: systemClock }));
  } finally {
    await owner.end();
    await stop();
  }
}

try {
  await main();
} catch (error) {
  const { message, issues } = error as Error & { issues?: { message: string }[] };
  process.stderr.write(`${issues?.[0]?.message ?? message}\n`);
  process.exitCode = 1;
}
