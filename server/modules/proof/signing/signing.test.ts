import type { Network } from '@tallystick/contract/networks';
import { audit } from '@tallystick/contract/operator/audit';
import { books, coldchanges, listcold } from '@tallystick/contract/operator/books';
import * as methods from '@tallystick/contract/operator/methods';
import { signaddress } from '@tallystick/contract/operator/signing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { times } from '../../../testing/at-once.ts';
import { call, ownPage, send, tryCall } from '../../../testing/call.ts';
import { withOffers } from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { bitcoinKey, setWayIn } from '../../../testing/outside/chain-server.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { bitcoinWallet, evmWallet, xrpWallet } from '../../../testing/proof/signing-wallets.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { watchersOf } from '../../../work.ts';

let node: XrpServer;
let test: TestApp;
let ada: Operator;
let ben: Operator;
beforeAll(async () => {
  node = await startXrpServer();
  test = await startTestApp({ XRP_RPC_URL: node.url, BITCOIN_NETWORK: 'regtest' });
  await withOffers(test);
  [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
});
afterAll(async () => {
  await test.close();
  await node.close();
});

const fixed = (paymentaddress: string) => ({ source: 'fixed', paymentaddress, key: null }) as const;
const methodNamed = async (name: string) => {
  const { paymentmethods } = await call(test, methods.paymentmethods, { as: ada });
  const found = paymentmethods.find(({ paymentname }) => paymentname === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const messageFor = (network: Network, address: string) =>
  `tallystick address/v1: ${network} ${address} belongs to ${test.context.log.origin}`;
const sign = (network: Network, address: string, signature: string, publickey?: string, as = ada) =>
  tryCall(test, signaddress, { as, body: { network, address, signature, publickey } });
const entries = async () => {
  const { rows } = await test.context.owner.query(
    `select entry from log_entries where kind = 'address/v1' order by id`,
  );
  return rows.map(({ entry }) => String(entry));
};
const kept = async () =>
  (await test.context.owner.query('select count(*)::int as count from address_signatures')).rows[0].count;

let before = { entries: 0, kept: 0 };
beforeEach(async () => {
  before = { entries: (await entries()).length, kept: await kept() };
});
/** Nothing was written, or in all places the same. */
const expectWritten = async (count: number) => {
  expect([(await entries()).length - before.entries, (await kept()) - before.kept]).toEqual([count, count]);
};

describe('an address that is shown as ours', () => {
  it('has a message from the beginning, and is signed by its own key once', async () => {
    await setWayIn(test.context, 'Bitcoin', fixed(bitcoinWallet.address));
    const message = messageFor('bitcoin', bitcoinWallet.address);
    expect((await methodNamed('Bitcoin')).signing).toEqual({ message, signed: null });
    const signature = bitcoinWallet.sign(message);
    expect(await sign('bitcoin', bitcoinWallet.address, signature)).toMatchObject({ status: 200 });
    const { signing } = await methodNamed('Bitcoin');
    expect(signing).toMatchObject({ message, signed: { signature, publickey: null, by: ada.name } });
    expect((await entries()).at(-1)).toBe(
      [
        'address/v1',
        `time ${signing?.signed?.at.slice(0, 19)}Z`,
        `origin ${test.context.log.origin}`,
        'network bitcoin',
        `address ${bitcoinWallet.address}`,
        `message ${message}`,
        'scheme bip137',
        `signature ${signature}`,
        '',
      ].join('\n'),
    );
    const { entries: told } = await call(test, audit, {
      as: ben,
      query: { action: 'payment-address.signed' },
    });
    expect(told).toMatchObject([
      { actorname: ada.name, details: { label: 'Bitcoin', to: bitcoinWallet.address, network: 'bitcoin' } },
    ]);
    await expectWritten(1);

    // The same again, by another, wrapped by a mail program: it is there already.
    const wrapped = ` ${signature.slice(0, 40)}\r\n${signature.slice(40)}\n`;
    expect(await sign('bitcoin', bitcoinWallet.address, wrapped, undefined, ben)).toMatchObject({
      status: 200,
    });
    await expectWritten(1);
    expect((await methodNamed('Bitcoin')).signing).toEqual(signing);
  });

  it('starts unsigned when it is another one, and is signed when it comes back', async () => {
    const other = trezor.address;
    await setWayIn(test.context, 'Bitcoin', fixed(other));
    expect((await methodNamed('Bitcoin')).signing).toEqual({
      message: messageFor('bitcoin', other),
      signed: null,
    });
    const again = await sign('bitcoin', bitcoinWallet.address, bitcoinWallet.sign('x'));
    expect(again).toMatchObject({ status: 404, code: 'not_found' });
    await setWayIn(test.context, 'Bitcoin', fixed(bitcoinWallet.address.toUpperCase()));
    expect((await methodNamed('Bitcoin')).signing?.signed).toMatchObject({ by: ada.name });
    await expectWritten(0);
  });

  it('has a signature of each family, in one spelling of address and signature', async () => {
    await setWayIn(test.context, 'Ethereum', fixed(evmWallet.address.toLowerCase()));
    const evmMessage = messageFor('ethereum', evmWallet.address);
    expect((await methodNamed('Ethereum')).signing?.message).toBe(evmMessage);
    const spelled = evmWallet.sign(evmMessage).toUpperCase().slice(2);
    expect(await sign('ethereum', evmWallet.address.toLowerCase(), spelled)).toMatchObject({
      status: 200,
    });
    expect((await methodNamed('Ethereum')).signing?.signed?.signature).toBe(evmWallet.sign(evmMessage));

    await setWayIn(test.context, 'Ripple', {
      source: 'tagged',
      paymentaddress: xrpWallet.address,
      key: null,
    });
    const { address, publicKey } = xrpWallet;
    const signature = xrpWallet.sign(messageFor('xrp', address));
    expect(await sign('xrp', address, signature)).toMatchObject({ status: 422, code: 'signature_wrong' });
    expect(await sign('xrp', address, signature, publicKey.toLowerCase())).toMatchObject({ status: 200 });
    expect((await methodNamed('Ripple')).signing?.signed).toMatchObject({ signature, publickey: publicKey });
    expect((await entries()).at(-1)).toMatch(
      new RegExp(`\\nsignature ${signature}\\npublickey ${publicKey}\\n$`),
    );
    await expectWritten(2);
  });

  it('entered by many at once is kept once', async () => {
    await setWayIn(test.context, 'BnB', fixed(evmWallet.address));
    const signature = evmWallet.sign(messageFor('bnb', evmWallet.address));
    const answers = await Promise.all(times(6, () => sign('bnb', evmWallet.address, signature)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await expectWritten(1);
  });

  it('is none where each investor has one, or nobody has agreed to it', async () => {
    await setWayIn(test.context, 'Bitcoin', { key: bitcoinKey });
    expect((await methodNamed('Bitcoin')).signing).toBeNull();
    const wanted = { paymentname: 'Second', network: 'bitcoin' as const, paymentaddress: trezor.address };
    await call(test, methods.addpaymentmethod, { as: ada, body: wanted });
    expect((await methodNamed('Second')).signing).toBeNull();
    expect(await sign('bitcoin', trezor.address, 'x')).toMatchObject({ code: 'not_found' });
    await expectWritten(0);
  });

  it('may be a cold one', async () => {
    const vault = 'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD';
    node.accounts.set(vault, { units: 2_000_000n, flags: 0 });
    for (const read of test.context.networks.readers(watchersOf(test.context))) await read();
    await call(test, listcold, { as: ada, body: { network: 'xrp', address: vault, label: 'Vault' } });
    const { coldchanges: waiting } = (await call(test, books, { as: ada })).held;
    await call(test, coldchanges.confirm, { as: ben, params: { id: waiting[0]?._id ?? '' } });
    const { cold } = (await call(test, books, { as: ada })).held;
    expect(cold[0]?.signing).toEqual({ message: messageFor('xrp', vault), signed: null });
    const refused = await sign('xrp', vault, xrpWallet.sign(messageFor('xrp', vault)), xrpWallet.publicKey);
    expect(refused).toMatchObject({
      code: 'signature_wrong',
      message: expect.stringContaining('another account'),
    });
    await expectWritten(0);
  });
});

// trezor-firmware, tests/device_tests/bitcoin/test_signmessage.py
const trezor = { address: 'bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk' };

describe('what is refused leaves nothing', () => {
  beforeAll(() => setWayIn(test.context, 'Ethereum', fixed(evmWallet.address)));

  it('a message of another origin, network, address, or with a space more', async () => {
    await setWayIn(test.context, 'Bitcoin', fixed(trezor.address));
    const mine = messageFor('bitcoin', trezor.address);
    for (const other of [
      mine.replace(/belongs to .*/, 'belongs to tallystick.example/log'),
      mine.replace('bitcoin', 'ethereum'),
      messageFor('bitcoin', bitcoinWallet.address),
      `${mine} `,
      mine,
    ]) {
      const refused = await sign('bitcoin', trezor.address, bitcoinWallet.sign(other));
      expect(refused).toMatchObject({ status: 422, code: 'signature_wrong' });
    }
    await expectWritten(0);
  });

  it('what is too long, empty, of no known network, or more than was asked for', async () => {
    const body = { network: 'ethereum', address: evmWallet.address, signature: 'x' };
    for (const wrong of [
      { ...body, signature: 'A'.repeat(601) },
      { ...body, signature: '   ' },
      { ...body, signature: 'a\0b' },
      { ...body, publickey: 'A'.repeat(101) },
      { ...body, address: 'a'.repeat(121) },
      { ...body, network: 'dogecoin' },
      { ...body, message: 'mine' },
      { network: 'ethereum', address: evmWallet.address },
    ]) {
      const answer = await send(test, 'POST', signaddress.path, wrong, {
        cookies: ada.cookies,
        headers: ownPage,
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    }
    await expectWritten(0);
  });

  it('a change of what was kept, also by the server itself', async () => {
    for (const act of [
      `update address_signatures set signature = 'x'`,
      'delete from address_signatures',
      'truncate address_signatures',
    ]) {
      await expect(test.context.owner.query(act)).rejects.toThrow();
    }
    await expectWritten(0);
  });

  it('another message than the one of log, network and address, whoever writes it', async () => {
    const insert = (message: string) =>
      test.context.owner.query(
        `insert into address_signatures select 'a/log', 'xrp', 'r', $1, 'xrp', 's', 'k', 'me', now(), min(id) from log_entries`,
        [message],
      );
    for (const message of [
      'tallystick address/v1: bnb r belongs to a/log',
      'tallystick address/v1: xrp r belongs to a/log, and b',
      'r and a/log',
    ]) {
      await expect(insert(message)).rejects.toThrow('address_signatures_check1');
    }
    await expectWritten(0);
  });
});
