import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { masterKeyOf, publicKeyAt, publishedWords } from '../testing/outside/seeds.ts';
import { createConfig } from './config.ts';
import { readEnv } from './env.ts';

const dir = mkdtempSync(join(tmpdir(), 'tallystick-config-'));
afterAll(() => rmSync(dir, { recursive: true }));

const secretFile = (name: string, mode: number, text = 'x'.repeat(48)) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
const keyPem = (type: 'ed25519' | 'x25519') =>
  String(generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const production = {
  MODE: 'production',
  DATA_DIR: dir,
  DATABASE_URL: 'postgres://db/tallystick',
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'Tallystick <support@example.com>',
  SITE_URL: 'https://tallystick.example/',
  SECRET_FILE: secretFile('good', 0o600),
  LOG_KEY_FILE: secretFile('log-key', 0o600, keyPem('ed25519')),
  TRUST_PROXY: 'none',
};

describe('production mode', () => {
  it('starts when everything it needs is there', () => {
    const { mode, siteUrl } = createConfig(readEnv(production));
    expect([mode, siteUrl]).toEqual(['production', 'https://tallystick.example']);
  });

  it.each([
    'DATABASE_URL',
    'SMTP_URL',
    'SITE_URL',
    'SECRET_FILE',
    'LOG_KEY_FILE',
    'MAIL_FROM',
    'TRUST_PROXY',
  ])('refuses to start without %s', (name) => {
    for (const value of [undefined, '']) {
      expect(() => createConfig(readEnv({ ...production, [name]: value }))).toThrow(name);
    }
  });

  it.each([
    ['can be read by others', secretFile('open', 0o644), /chmod 600/],
    ['is too short', secretFile('short', 0o600, 'abc'), /too short/],
    ['does not exist', join(dir, 'missing'), new RegExp(`${join(dir, 'missing')} does not exist`)],
    ['is nowhere', '/nowhere/secret', /\/nowhere\/secret does not exist/],
    ['is a folder', dir, /is a folder/],
    ['is empty', secretFile('empty', 0o600, ''), /too short/],
  ])('refuses a secret file that %s', (_case, path, message) => {
    expect(() => createConfig(readEnv({ ...production, SECRET_FILE: path }))).toThrow(message);
  });
});

describe('production mode, too,', () => {
  const refusalOf = (env: NodeJS.ProcessEnv): string => {
    try {
      createConfig(readEnv({ ...production, ...env }), { ...production, ...env });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    [
      'a site that is not encrypted',
      { SITE_URL: 'http://tallystick.example' },
      'SITE_URL must begin with https://',
    ],
    ['a site below a path', { SITE_URL: 'https://tallystick.example/money' }, 'https://tallystick.example'],
    [
      'a login that is the owner’s',
      { DATABASE_APP_URL: 'postgres://u:p@db/house', DATABASE_URL: 'postgres://u:q@db/house' },
      '"u"',
    ],
    ['a folder for its data that is a file', { DATA_DIR: secretFile('file', 0o600) }, 'DATA_DIR'],
    [
      'a name that is nearly right',
      { SMTP_URL: '', SMPT_URL: 'smtp://mail.example' },
      'SMPT_URL is not read: is SMTP_URL meant?',
    ],
    [
      'several at once',
      { PORT: '0', LOG_LEVEL: 'loud' },
      'PORT must be a whole number from 1 to 65535, and is "0". LOG_LEVEL must be one of',
    ],
  ])('refuses %s, in one line', (_case, env, words) => {
    const refusal = refusalOf(env);
    expect(refusal).toContain(words);
    expect(refusal).not.toContain('\n');
  });

  it('runs on its own machine without encryption, for a try', () => {
    expect(refusalOf({ SITE_URL: 'http://127.0.0.1:3000' })).toBe('');
  });

  it.each([
    ['DATABASE_URL', 'postgres://u:hush%zz@db/house'],
    ['DATABASE_URL', 'postgre://u:hush@db/house'],
    ['DATABASE_APP_URL', 'u:hush@db/house'],
    ['DATABASE_READ_URL', 'u:hush@db/house'],
    ['SMTP_URL', 'smtpx://u:hush@mail.example'],
    ['SITE_URL', 'https://u:hush@tallystick.example'],
    ['BITCOIN_RPC_URL', 'ws://u:hush@node.example'],
    ['PRICE_API_BASE', 'ftp://u:hush@prices.example'],
    ['METRICS_TOKEN', 'hush'],
    ['MAIL_FROM', 'hush'],
    // In the wrong line, or in the place of the file.
    ['METRICS_FROM', 'hush0123456789abcdef'],
    ['SECRET_FILE', `hush${'A+b9'.repeat(14)}`],
    ['SECRET_FILE', `hush${'A+b9'.repeat(5)}/${'A+b9'.repeat(8)}`],
    ['LOG_KEY_FILE', `-----BEGIN PRIVATE KEY-----\nhush${'A+b9'.repeat(14)}\n-----END PRIVATE KEY-----\n`],
  ])('does not tell what a wrong %s holds', (name, value) => {
    const refusal = refusalOf({ [name]: value });
    expect(refusal).toContain(name);
    expect(refusal).not.toContain('hush');
  });

  it('says which variables are nearly ours, and is quiet about the others', () => {
    const others = { NODE: '1', HOSTNAME: 'a', LOGNAME: 'b', SESSION_MANAGER: 'c', XDG_DATA_DIRS: 'd' };
    const slips = { DATADIR: '/srv', session_idle_minutes: '5', TRUST_PROXYS: 'none', MAIL_FORM: '' };
    const { warnings } = createConfig(readEnv(production), { ...production, ...others, ...slips });
    expect(warnings).toEqual([
      'DATADIR is not read: is DATA_DIR meant?',
      'session_idle_minutes is not read: is SESSION_IDLE_MINUTES meant?',
      'TRUST_PROXYS is not read: is TRUST_PROXY meant?',
    ]);
  });

  it('says which of METRICS_FROM are never let in because they are a proxy’s', () => {
    const scraped = { TRUST_PROXY: '10.0.0.0/24', METRICS_FROM: '192.0.2.7, 10.0.0.5,10.0.1.0/24' };
    const { warnings } = createConfig(readEnv({ ...production, ...scraped }));
    expect(warnings).toEqual([expect.stringMatching(/^METRICS_FROM has 10\.0\.0\.5, which TRUST_PROXY/)]);
  });
});

describe('the public log', () => {
  it.each([
    ['can be read by others', secretFile('open-key', 0o644, keyPem('ed25519')), /chmod 600/],
    ['holds no key', secretFile('no-key', 0o600), /Ed25519/],
    ['holds a key of another kind', secretFile('other-key', 0o600, keyPem('x25519')), /Ed25519/],
    [
      'holds half a key',
      secretFile('half-key', 0o600, keyPem('ed25519').replace(/\n.{20}/, '\n')),
      /Ed25519/,
    ],
    ['does not exist', join(dir, 'missing'), /does not exist/],
    ['is a folder', dir, /is a folder/],
  ])('refuses a key file that %s', (_case, path, message) => {
    expect(() => createConfig(readEnv({ ...production, LOG_KEY_FILE: path }))).toThrow(message);
  });

  it('is signed with every key of its file, the first of them first', () => {
    const [first, second] = [keyPem('ed25519'), keyPem('ed25519')];
    const LOG_KEY_FILE = secretFile('two-keys', 0o600, `${first}\n${second}`);
    const { logKeys } = createConfig(readEnv({ ...production, LOG_KEY_FILE }));
    const pems = logKeys.map((key) => key.export({ type: 'pkcs8', format: 'pem' }));
    expect(pems).toEqual([first, second]);
  });

  it('has the witnesses of its file, and refuses what is none', () => {
    const witnesses = (text: string) =>
      createConfig(readEnv({ ...production, LOG_WITNESSES_FILE: secretFile('witnesses', 0o600, text) }))
        .logWitnesses;
    expect(witnesses('# ours\n\nw+00+key https://w.example/one\n')).toEqual([
      { vkey: 'w+00+key', url: 'https://w.example/one' },
    ]);
    expect(() => witnesses('w+00+key\n')).toThrow('LOG_WITNESSES_FILE');
    expect(() => witnesses('w+00+key ftp://w.example\n')).toThrow('LOG_WITNESSES_FILE');
    const LOG_WITNESSES_FILE = join(dir, 'missing');
    expect(() => createConfig(readEnv({ ...production, LOG_WITNESSES_FILE }))).toThrow('does not exist');
  });

  it('of a demo makes its own key for its eyes only and keeps it', () => {
    const [key, again] = [1, 2].flatMap(() => createConfig(readEnv({ DATA_DIR: join(dir, 'demo') })).logKeys);
    expect(key && again?.equals(key)).toBe(true);
    expect(statSync(join(dir, 'demo/log/key')).mode & 0o777).toBe(0o600);
  });
});

describe('demo mode', () => {
  it('needs no configuration, makes its own secret for its eyes only and keeps it', () => {
    const first = createConfig(readEnv({ DATA_DIR: join(dir, 'demo') }));
    const second = createConfig(readEnv({ DATA_DIR: join(dir, 'demo') }));
    expect(first.secrets.codes.equals(second.secrets.codes)).toBe(true);
    expect(first.secrets.codes.equals(first.secrets.mail)).toBe(false);
    expect(statSync(join(dir, 'demo/secret')).mode & 0o777).toBe(0o600);
    expect(first.siteUrl).toBe('http://127.0.0.1:3000');
  });

  it('does not believe whatever address a client claims to have', () => {
    expect(() => createConfig(readEnv({ DATA_DIR: dir, TRUST_PROXY: 'true' }))).toThrow(/every client/);
  });

  it('shows its figures to whom METRICS_FROM names, not to everyone, and understands no nonsense', () => {
    const from = (METRICS_FROM: string) => createConfig(readEnv({ DATA_DIR: dir, METRICS_FROM })).metricsFrom;
    const asked = ['10.1.2.3', '192.0.2.7', '192.0.2.8'].map((address) =>
      from('10.0.0.0/8, 192.0.2.7').has(address),
    );
    expect(asked).toEqual([true, true, false]);
    expect(from('').has('127.0.0.1')).toBe(false);
    for (const list of ['0.0.0.0/0', '::/0', 'true'])
      expect(() => from(list)).toThrow(/METRICS_FROM.*everyone/);
    for (const list of ['prometheus', '10.0.0.0/33', '10.0.0.1,']) {
      expect(() => from(list)).toThrow(/METRICS_FROM.*no address or network/);
    }
  });

  it.each(['https://tallystick.example', 'http://192.168.1.7:3000', 'http://localhost.evil.example'])(
    'is not offered to others as %s',
    (SITE_URL) => {
      expect(() => createConfig(readEnv({ DATA_DIR: dir, SITE_URL }))).toThrow(/this machine alone/);
    },
  );

  it('listens on this machine only', () => {
    expect(() => createConfig(readEnv({ DATA_DIR: dir, HOST: '0.0.0.0' }))).toThrow(/127\.0\.0\.1/);
  });
});

describe('the ways in that the environment names', () => {
  const { publicExtendedKey, privateExtendedKey } = masterKeyOf(publishedWords).derive("m/84'/0'/0'");
  const account = publicKeyAt(masterKeyOf(publishedWords), "m/44'/60'/0'", 'xpub');
  const methods = (env: NodeJS.ProcessEnv) => createConfig(readEnv({ DATA_DIR: dir, ...env })).firstMethods;

  it('are taken as they are', () => {
    expect(methods({})).toEqual([]);
    expect(
      methods({
        BITCOIN_XPUB: ` ${publicExtendedKey} `,
        CONFIRMATIONS_BITCOIN: '3',
        CONFIRMATIONS_BNB: '20',
      }),
    ).toEqual([
      { network: 'bitcoin', payTo: publicExtendedKey, confirmations: 3 },
      { network: 'bnb', payTo: null, confirmations: 20 },
    ]);
    expect(
      methods({ ETHEREUM_XPUB: account, XRP_ADDRESS: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }),
    ).toMatchObject([
      { network: 'ethereum', payTo: account },
      { network: 'xrp', confirmations: null },
    ]);
  });

  it.each([
    ['BITCOIN_XPUB', privateExtendedKey, /private key/],
    ['BITCOIN_XPUB', 'zpub', /cannot be used/],
    ['BITCOIN_XPUB', publicKeyAt(masterKeyOf(publishedWords), "m/84'/1'/0'", 'vpub'), /another network/],
    ['ETHEREUM_XPUB', publicKeyAt(masterKeyOf(publishedWords), "m/44'/60'", 'xpub'), /account/],
    ['BNB_XPUB', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /extended public key/],
    ['XRP_ADDRESS', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTx', /not a valid XRP Ledger address/],
  ])('a wrong %s is refused in words', (name, value, words) => {
    expect(() => methods({ [name]: value })).toThrow(name);
    expect(() => methods({ [name]: value })).toThrow(words);
  });
});

it('which chains are read under the networks’ names is the real ones, unless it is said', () => {
  const chainIds = (env: NodeJS.ProcessEnv) => createConfig(readEnv({ DATA_DIR: dir, ...env })).chainIds;
  expect(chainIds({})).toEqual({ ethereum: 1, bnb: 56, xrp: 0 });
  const tests = { ETHEREUM_CHAIN_ID: '11155111', BNB_CHAIN_ID: '97', XRP_NETWORK_ID: '1' };
  expect(chainIds(tests)).toEqual({ ethereum: 11_155_111, bnb: 97, xrp: 1 });
});

it('one chain is not read as two networks: every payment would be credited twice', () => {
  const env = { DATA_DIR: dir, ETHEREUM_CHAIN_ID: '31337', BNB_CHAIN_ID: '31337' };
  const nodes = { ETHEREUM_RPC_URL: 'http://127.0.0.1:8545', BNB_RPC_URL: 'http://127.0.0.1:8545' };
  expect(() => createConfig(readEnv({ ...env, ...nodes }))).toThrow(/BNB_CHAIN_ID/);
  expect(() => createConfig(readEnv({ ...env, ...nodes, BNB_RPC_URL: '' }))).not.toThrow();
});

it.each([
  ['CONFIRMATIONS_BITCOIN', '0'],
  ['CONFIRMATIONS_XRP', 'many'],
  ['BITCOIN_RPC_URL', 'bitcoin.example:8332'],
  ['BITCOIN_NETWORK', 'main'],
  ['ETHEREUM_CHAIN_ID', '0'],
  ['XRP_NETWORK_ID', '-1'],
  ['PORT', 'eighty'],
  ['MODE', 'live'],
  ['ROLE', 'both'],
  ['SITE_URL', 'ftp://example.com'],
  ['DATABASE_URL', 'mysql://db'],
  ['SESSION_IDLE_MINUTES', '0'],
  ['METRICS_TOKEN', 'short'],
])('a wrong %s is named', (name, value) => {
  expect(() => readEnv({ [name]: value })).toThrow(name);
});
