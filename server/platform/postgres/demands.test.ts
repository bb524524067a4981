import { expect, it } from 'vitest';
import { type Facts, lacksOf, standbysOf } from './demands.ts';

/** An empty database that can be used as it is. */
const good: Facts = {
  version: 150_000,
  versionText: '15.0',
  encoding: 'UTF8',
  database: 'books',
  databaseOid: '1',
  owner: 'ada',
  dataDirectory: '/srv/pg',
  fsync: 'on',
  fullPageWrites: 'on',
  dataChecksums: 'on',
  synchronousCommit: 'on',
  synchronousStandbys: '',
  connections: 97,
  isStandby: false,
  readOnly: 'off',
  mayCreateSchema: true,
  hasQueue: false,
  mayCreateTables: true,
  anyoneCreatesTables: false,
  strangersTables: null,
  makesRoles: true,
  hasAppRole: false,
  givesAppRole: false,
  hasLogin: false,
};
const wanted = { durable: true, hasOwnLogin: false };

it('a database that lacks nothing is not complained about', () => {
  expect(lacksOf(good, wanted)).toEqual([]);
});

it.each<[string, Partial<Facts>, string]>([
  ['without checksums', { dataChecksums: 'off' }, 'pg_checksums --enable -D /srv/pg'],
  [
    'of a cluster that may not be asked where it is',
    { dataChecksums: 'off', dataDirectory: null },
    '-D <its',
  ],
  ['that may lose what it acknowledged', { synchronousCommit: 'local' }, 'SET synchronous_commit = on;'],
  ['without fsync', { fsync: 'off' }, 'ALTER SYSTEM SET fsync = on;'],
  ['that tears pages', { fullPageWrites: 'off' }, 'ALTER SYSTEM SET full_page_writes = on;'],
  ['of an older PostgreSQL', { version: 140_012, versionText: '14.12' }, 'pg_upgrade'],
  ['in another encoding', { encoding: 'LATIN1' }, "ENCODING 'UTF8'"],
  ['that is a standby', { isStandby: true, readOnly: 'on' }, 'SELECT pg_promote();'],
  ['that takes no writes', { readOnly: 'on' }, 'SET default_transaction_read_only = off;'],
  ['with too few connections', { connections: 17 }, 'ALTER SYSTEM SET max_connections = 100;'],
  ['whose owner makes no roles', { makesRoles: false }, 'ALTER ROLE "ada" CREATEROLE;'],
  [
    'in which anyone creates tables',
    { anyoneCreatesTables: true },
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC;',
  ],
  ['of another owner', { strangersTables: 'ben' }, 'REASSIGN OWNED BY "ben" TO "ada";'],
])('a database %s is told the command that mends it, and nothing else', (_case, change, mend) => {
  expect(lacksOf({ ...good, ...change }, wanted)).toEqual([expect.stringContaining(mend)]);
});

it('an owner who may make no login need not, once one was made by hand', () => {
  const byHand = { ...good, makesRoles: false, hasAppRole: true };
  expect(lacksOf(byHand, { ...wanted, hasOwnLogin: true })).toEqual([]);
  expect(lacksOf(byHand, wanted)).toHaveLength(2);
});

it.each([
  ['', 0, false],
  ['node2', 1, false],
  ['"node-2", node3', 1, false],
  ['ANY 2 (node2, node3, node4)', 2, false],
  ['first 1 (node2)', 1, false],
  ['3 (a, b, c)', 3, false],
  ['*', 1, true],
  ['ANY 1 (*)', 1, true],
])('of the standbys %j a commit waits for %i', (names, count, isAnyone) => {
  expect(standbysOf(names)).toEqual({ count, isAnyone });
});
