import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { coins, type Network, networkIds } from '@tallystick/contract/networks';
import * as methods from '@tallystick/contract/operator/methods';
import * as queue from '@tallystick/contract/operator/queue';
import { fetchallwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variableNames } from '../server/config/env.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../server/testing/outside/seeds.ts';
import { bitcoinWallet, evmWallet } from '../server/testing/proof/signing-wallets.ts';

// A server is started in the copy; a busy machine takes its time.

const root = path.resolve(import.meta.dirname, '..');
const table = 'contract/networks.ts';
const copied = [
  'contract',
  'content',
  'server',
  'verify',
  'tools/witness',
  'web/app',
  'web/tsconfig.json',
  'tsconfig.base.json',
];

/** One of a family in which addresses differ, and one that differs from its like in nothing but names. */
const furtherRows = `
  litecoin: {
    name: 'Litecoin',
    article: 'a',
    coin: { id: 'litecoin', name: 'Litecoin', ticker: 'LTC', decimals: 8, priceDecimals: 2 },
    family: 'bitcoin',
    scheme: 'litecoin',
    isReadable: false,
    address: { looks: 'starts with ltc1, L or M', prefix: 'ltc', versions: [0x30, 0x32] },
    explorer: 'https://litecoinspace.org/tx/',
    confirmations: 6,
  },
  polygon: {
    name: 'Polygon',
    article: 'a',
    coin: { id: 'polygon-ecosystem-token', name: 'Polygon', ticker: 'POL', decimals: 18, priceDecimals: 4 },
    family: 'evm',
    address: { looks: 'starts with 0x' },
    explorer: 'https://polygonscan.com/tx/',
    confirmations: 128,
  },
`;
const [litecoin, polygon] = ['litecoin', 'polygon'] as unknown as [Network, Network];
const ltc = {
  segwit: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  toKey: 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ',
  toScript: 'MJaRnao1s62a2zAKSkmG582KbLKianqb7v',
};
const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const bitcoinKey = publicKeyAt(masterKeyOf(publishedWords), "m/84'/0'/0'", 'zpub');
const evmAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

let copy: string;
beforeAll(() => {
  copy = fs.mkdtempSync(path.join(fs.realpathSync(tmpdir()), 'tallystick-fifth-coin-'));
  const filter = (file: string) => !path.relative(root, file).includes('node_modules');
  for (const part of copied)
    fs.cpSync(path.join(root, part), path.join(copy, part), { recursive: true, filter });
  linkPackages('node_modules');
  linkPackages('web/node_modules');
  fs.mkdirSync(path.join(copy, 'node_modules/@tallystick'));
  for (const own of ['contract', 'verify'])
    fs.symlinkSync(path.join(copy, own), path.join(copy, 'node_modules/@tallystick', own));
  const rows = read(root, table);
  fs.writeFileSync(
    path.join(copy, table),
    rows.replace('} as const satisfies Record<string, NetworkFacts>', (end) => furtherRows + end),
  );
});
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }));

/** As they are installed, but for our own. */
function linkPackages(folder: string): void {
  fs.mkdirSync(path.join(copy, folder), { recursive: true });
  for (const name of fs.existsSync(path.join(root, folder)) ? fs.readdirSync(path.join(root, folder)) : []) {
    if (name !== '@tallystick') fs.symlinkSync(path.join(root, folder, name), path.join(copy, folder, name));
  }
}

const read = (base: string, file: string) => fs.readFileSync(path.join(base, file), 'utf8');
const filesOf = (base: string, folder: string): string[] =>
  fs.readdirSync(path.join(base, folder), { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = path.relative(base, path.join(entry.parentPath, entry.name));
    return entry.isFile() && !file.includes('node_modules') ? [file] : [];
  });

/** Of the web as much as is called here: its modules have types of the browser. */
interface Marks {
  CoinMark(props: { coin: string; size: 28 }): unknown;
}
interface Quotes {
  pricedCoins(answer: object): { ticker: string }[];
  priceText(coin: object): string;
}

/** A module of the copy, typed as the one that it was copied from. */
const load = <Module>(file: string): Promise<Module> => import(/* @vite-ignore */ path.join(copy, file));

describe('a fifth coin', () => {
  it('touches one file', () => {
    const files = ['contract', 'content', 'server', 'web/app'].flatMap((folder) => filesOf(copy, folder));
    expect(files.filter((file) => read(copy, file) !== read(root, file))).toEqual([table]);
  });

  const production = ['contract', 'server', 'web/app']
    .flatMap((folder) => filesOf(root, folder))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|^server\/testing\//.test(file));

  it('needs no other, for no other lists the coins', () => {
    const four = [/\bbitcoin\b/i, /\bethereum\b/i, /\b(bnb|binancecoin)\b/i, /\b(xrp|ripple)\b/i];
    const lists = production.filter((file) => four.filter((name) => name.test(read(root, file))).length > 2);
    // The demo's people have paid in what the demo offers. Four are drawn; what is not drawn is written.
    expect(lists).toEqual([table, 'server/demo/history.ts', 'web/app/domain/prices/coin-mark.tsx']);
  });

  it('is not passed over where one coin is asked for by its name, and not by its family', () => {
    const ids = [...networkIds, ...coins.map(({ id }) => id)].join('|');
    const comparison = new RegExp(`(\\S+)\\s+(?:[!=]==|\\?\\?)\\s+'(?:${ids})'`, 'g');
    const names = (file: string) =>
      [...read(root, file).matchAll(comparison)].some(([, asked = '']) => !/family/i.test(asked));
    // The demo's people have paid in what the demo offers. Only Bitcoin's price is shown with its history.
    expect(production.filter(names)).toEqual([
      'server/demo/history.ts',
      'web/app/investor/dashboard/price-strip.tsx',
      'web/app/public/landing/price-tiles.tsx',
    ]);
  });

  it('is in the texts, and has a mark', async () => {
    const networks = await load<typeof import('../contract/networks.ts')>(table);
    expect(networks.anyCoin).toBe('Bitcoin, Ethereum, BnB, Ripple, Litecoin or Polygon');
    const chain = await load<typeof import('../contract/chain.ts')>('contract/chain.ts');
    expect(chain.outputRefusal).toBe('Only a Bitcoin or a Litecoin transaction has numbered outputs.');
    expect(chain.txidForm(polygon)).toMatch(/^The id of a Polygon transaction is 0x and 64 characters/);
    const { CoinMark } = await load<Marks>('web/app/domain/prices/coin-mark.tsx');
    expect(JSON.stringify(CoinMark({ coin: litecoin, size: 28 }))).toContain('LTC');
    expect(JSON.stringify(CoinMark({ coin: 'bitcoin', size: 28 }))).not.toContain('BTC');
  });

  it('has its price asked for and shown', async () => {
    type Testing = typeof import('../server/testing/outside/price-server.ts');
    const upstream = await (await load<Testing>('server/testing/outside/price-server.ts')).startPriceServer();
    type Client = typeof import('../server/modules/prices/client.ts');
    const { createPriceClient } = await load<Client>('server/modules/prices/client.ts');
    await createPriceClient(upstream.base).simplePrice();
    await upstream.close();
    expect(upstream.calls[0]).toMatch(/%2Cripple%2Clitecoin%2Cpolygon-ecosystem-token&/);
    const { SimplePrice } = await load<typeof import('../contract/prices.ts')>('contract/prices.ts');
    const { pricedCoins, priceText } = await load<Quotes>('web/app/domain/prices/price-quotes.ts');
    const answer = { litecoin: { usd: 92.5 }, 'polygon-ecosystem-token': { usd: 0.2 } };
    const shown = pricedCoins(SimplePrice.parse(answer)).map((coin) => `${coin.ticker} ${priceText(coin)}`);
    expect(shown).toEqual(['LTC $92.50', 'POL $0.2000']);
  });

  it('has its addresses checked', async () => {
    type Addresses = typeof import('../server/platform/address.ts');
    const { addressRefusal } = await load<Addresses>('server/platform/address.ts');
    for (const address of Object.values(ltc)) {
      expect(addressRefusal(litecoin, address)).toBeNull();
      expect(addressRefusal(litecoin, address.replace(/.$/, '2'))).toMatch(
        /^This is not a valid Litecoin address/,
      );
      expect(addressRefusal('bitcoin', address)).toMatch(/^This looks like a Litecoin address\./);
    }
    expect(addressRefusal(litecoin, bitcoinAddress)).toBe(
      'This looks like a Bitcoin address. Litecoin starts with ltc1, L or M.',
    );
    expect(addressRefusal(polygon, evmAddress)).toBeNull();
    expect(addressRefusal(polygon, ltc.segwit)).toBe(
      'This looks like a Litecoin address. Polygon starts with 0x.',
    );
  });

  it('is paid by links of its own', async () => {
    type Links = typeof import('../server/platform/chains/payment-uri.ts');
    const { paymentUri } = await load<Links>('server/platform/chains/payment-uri.ts');
    const asked = { address: ltc.segwit, units: 150_000_000n, tag: null, chainId: null };
    expect(paymentUri({ ...asked, network: litecoin })).toBe(`litecoin:${ltc.segwit}?amount=1.5`);
    expect(paymentUri({ ...asked, network: polygon, address: evmAddress, chainId: 137 })).toBe(
      `ethereum:${evmAddress}@137?value=150000000`,
    );
  });

  it('is not taken for Bitcoin where its blocks and keys are others', async () => {
    type Destinations = typeof import('../server/platform/chains/destination.ts');
    const { destinationKey } = await load<Destinations>('server/platform/chains/destination.ts');
    // Of before, which Bitcoin has as well.
    const toScriptOfBoth = '3CK4fEwbMP7heJarmU4eqA3sMbVJyEnU3V';
    expect(destinationKey('bitcoin', toScriptOfBoth, 'mainnet')).not.toBeNull();
    for (const address of [toScriptOfBoth, ...Object.values(ltc)])
      expect(destinationKey(litecoin, address, 'mainnet')).toBeNull();
    expect(destinationKey(polygon, evmAddress, 'mainnet')).toBe(evmAddress.toLowerCase());
    type Ways = typeof import('../web/app/operator/methods/way.ts');
    const { sourcesOf } = await load<Ways>('web/app/operator/methods/way.ts');
    expect([litecoin, polygon].map(sourcesOf)).toEqual([['fixed'], ['fixed', 'derived']]);
    const addresses = await load<typeof import('../server/platform/address.ts')>(
      'server/platform/address.ts',
    );
    expect(addresses.addressRefusal(litecoin, ltc.segwit, 'regtest')).toBeNull();
    type Explorers = typeof import('../server/platform/chains/explorer.ts');
    const { explorerOf } = await load<Explorers>('server/platform/chains/explorer.ts');
    const onTestNetwork = { bitcoinNetwork: 'regtest', chainIds: {} } as const;
    expect(explorerOf(litecoin, 'ab', onTestNetwork)).toBe('https://litecoinspace.org/tx/ab');
    expect(explorerOf('bitcoin', 'ab', onTestNetwork)).toBeNull();
  });

  it('has variables where its chain can be read, which a test asks to be explained', async () => {
    const env = await load<typeof import('../server/config/env.ts')>('server/config/env.ts');
    expect(env.variableNames.filter((name) => !variableNames.includes(name)).toSorted()).toEqual([
      'CONFIRMATIONS_POLYGON',
      'POLYGON_CHAIN_ID',
      'POLYGON_RPC_URL',
      'POLYGON_XPUB',
    ]);
  });

  it('has its signatures checked, which are not those of another coin', async () => {
    type Checks = typeof import('../server/platform/chains/check-signed-text.ts');
    const { checkSignedText } = await load<Checks>('server/platform/chains/check-signed-text.ts');
    const text = 'a text';
    const signed = (coin: string) => ({
      address: ltc.segwit,
      text,
      signature: bitcoinWallet.sign(text, coin),
      publicKey: null,
    });
    expect(checkSignedText(litecoin, signed('Litecoin'))).toMatchObject({ scheme: 'bip137' });
    expect(checkSignedText(litecoin, signed('Bitcoin'))).toHaveProperty('wrong');
    const { address } = evmWallet;
    const personal = { address, text, signature: evmWallet.sign(text), publicKey: null };
    expect(checkSignedText(polygon, personal)).toMatchObject({ scheme: 'eip191' });
  });

  it('comes in and goes out', async () => {
    type StartApp = typeof import('../server/testing/start-app.ts');
    const { startTestApp } = await load<StartApp>('server/testing/start-app.ts');
    type Operators = typeof import('../server/testing/operators.ts');
    const { signedInOperator } = await load<Operators>('server/testing/operators.ts');
    const { signedIn } = await load<typeof import('../server/testing/people.ts')>('server/testing/people.ts');
    const { call, refusal } =
      await load<typeof import('../server/testing/call.ts')>('server/testing/call.ts');
    const test = await startTestApp();
    try {
      const [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
      const byKey = {
        paymentname: 'Litecoin',
        network: litecoin,
        source: 'derived',
        key: bitcoinKey,
      } as const;
      expect(await refusal(test, methods.addpaymentmethod, { as: ada, body: byKey })).toMatchObject({
        status: 422,
        message: 'On Litecoin addresses are not made from keys: all investors pay to one.',
      });
      const investor = await signedIn(test);
      const wayIn = { paymentname: 'Litecoin', network: litecoin, paymentaddress: ltc.toKey };
      await call(test, methods.addpaymentmethod, { as: ada, body: wayIn });
      const [change] = (await call(test, queue.queue, { as: ben })).addresschanges;
      expect(change?.network).toBe('Litecoin');
      await call(test, methods.addresschanges.confirm, { as: ben, params: { id: change?._id ?? '' } });
      const announced = { fundingtypename: 'Litecoin', amount: 100 };
      const { request } = await call(test, addbalance, { as: investor, body: announced });
      expect(request.coin).toBe('litecoin');
      const payment = { received: 100, chaintransactionid: 'AB'.repeat(32), chainoutput: 1 };
      await call(test, queue.confirmdeposit, { as: ada, params: { id: request._id }, body: payment });

      const wayOut = { methodname: 'Litecoin', network: litecoin };
      await call(test, methods.addwithdrawalmethod, { as: ada, body: wayOut });
      const [method] = (await call(test, fetchallwithdrawal)).data;
      const { withdrawal } = await call(test, makenewwithdrawal, {
        as: investor,
        body: {
          userid: investor.userid,
          withdrawalid: method?._id ?? '',
          withdrawalamount: 40,
          withdrawaladdress: ltc.segwit,
        },
      });
      const params = { id: withdrawal._id };
      await call(test, queue.approvewithdrawal, { as: ada, params });
      const payout = { chaintransactionid: 'CD'.repeat(32), chainoutput: 0 };
      await call(test, queue.paywithdrawal, { as: ada, params, body: payout });
      const wallet = await call(test, summary, { as: investor });
      expect(wallet).toMatchObject({ available: 60, withdrawing: 0 });
    } finally {
      await test.close();
    }
  });
});
