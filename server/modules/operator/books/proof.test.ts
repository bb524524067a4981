import { createDecipheriv, scryptSync } from 'node:crypto';
import { liabilities, passphraseHeader, provebooks } from '@tallystick/contract/operator/books';
import { statements } from '@tallystick/contract/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { deposit, withOffers } from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { verified } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import {
  type Amounts,
  amountsAt,
  amountsToBytes,
  createTreeHash,
  fold,
  nodeBytes,
  seedOf,
} from '../../proof/rules.ts';

let test: TestApp;
let clerk: Operator;
let emails: string[];
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  clerk = await signedInOperator(test);
  emails = [];
  for (let n = 0; n < 3; n += 1) {
    const { userid, email } = await verified(test);
    await deposit(test, userid, 100 * (n + 1));
    emails.push(email);
  }
  test.clock.advance(2 * minuteMs);
});
afterAll(() => test.close());

const traces = async (action: string) =>
  (await test.context.owner.query('select actor_id, details from audit_log where action = $1', [action]))
    .rows;

/** By the format alone, as an auditor would. */
function opened(file: Buffer, passphrase: string): string[] {
  const headEnd = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  const [kind, kdf = ''] = file.toString('utf8', 0, headEnd).split('\n');
  expect(kind).toBe('tallystick-sealed/v1');
  const [name, cost, blockSize, parallelization, salt = ''] = kdf.split(' ');
  expect(name).toBe('scrypt');
  const options = {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    maxmem: 2 ** 27,
  };
  const key = scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, options);
  let plain = '';
  for (let at = headEnd, number = 0; at < file.length; number += 1) {
    const end = at + 4 + file.readUInt32BE(at);
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 8);
    const isLast = end + 16 === file.length;
    const opening = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from([isLast ? 1 : 0]));
    opening.setAuthTag(file.subarray(end, end + 16));
    plain += opening.update(file.subarray(at + 4, end)).toString('utf8') + opening.final('utf8');
    at = end + 16;
  }
  return plain.trimEnd().split('\n');
}

describe('an operator', () => {
  it('makes a statement of the books, which leaves a trace, and not two within a minute', async () => {
    expect(await call(test, provebooks, { as: clerk })).toEqual({ number: 1 });
    expect(await traces('books.proven')).toEqual([{ actor_id: clerk.id, details: { number: '1' } }]);
    const again = await tryCall(test, provebooks, { as: clerk });
    expect(again).toMatchObject({ status: 429, code: 'too_many_requests' });
  });

  it('has the address of whoever has left since, sealed for the auditor alone', async () => {
    const { owner, account } = test.context;
    const left = `update users set closed_at = $1, forget_email_at = $1, fullname = '' where email = $2`;
    await owner.query(left, [test.clock.now(), emails[0]]);
    await account.forgetClosed();
    const { rows } = await owner.query('select email, email_sealed from users where closed_at is not null');
    expect(rows).toEqual([{ email: '', email_sealed: expect.stringMatching(/^v1\./) }]);
  });

  it('gives an auditor every leaf of it, sealed, from which the totals can be recomputed', async () => {
    const url = `${liabilities.path}?number=1`;
    const reply = await test.app.inject({ method: 'GET', url, cookies: clerk.cookies });
    expect(reply.statusCode).toBe(200);
    expect(await traces('books.exported')).toEqual([{ actor_id: clerk.id, details: { number: '1' } }]);
    const file = reply.rawPayload;
    for (const email of emails) expect(file.includes(email)).toBe(false);
    const passphrase = String(reply.headers[passphraseHeader]);
    expect(passphrase).toMatch(/^([a-z2-9]{5}-){4}[a-z2-9]{5}$/);
    const [head, ...leaves] = opened(file, passphrase).map((line) => JSON.parse(line));
    expect(leaves.length).toBe(2 ** head.depth);
    const tree = createTreeHash(seedOf({ ...head, number: BigInt(head.number) }));
    const row = Buffer.alloc(leaves.length * nodeBytes);
    for (const [n, { index, secret, piece, pieces, amounts, id }] of leaves.entries()) {
      expect(index).toBe(n);
      tree.leaf(row, n * nodeBytes, {
        piece,
        pieces,
        secret: Buffer.from(secret, 'hex'),
        amounts: amountsToBytes(amounts.map(BigInt) as Amounts),
        id: Buffer.from(id),
      });
    }
    const root = fold(tree, row, 0);
    const [listed] = (await call(test, statements, { query: {} })).statements;
    expect([root.toString('hex', 0, 32), amountsAt(root, 32).map(String)]).toEqual([head.root, listed?.owed]);
    const ids = leaves.map(({ id }) => id).filter(Boolean);
    expect(ids.toSorted()).toEqual(emails.flatMap((email) => [email, email]).toSorted());
    // Nothing of it can be left out, and nobody opens it with another passphrase.
    expect(() => opened(file.subarray(0, -40), passphrase)).toThrow();
    expect(() => opened(file, `${passphrase.slice(0, -1)}!`)).toThrow();
  });

  it('is told when there is no such statement', async () => {
    const url = `${liabilities.path}?number=9`;
    expect((await test.app.inject({ method: 'GET', url, cookies: clerk.cookies })).statusCode).toBe(404);
  });
});
