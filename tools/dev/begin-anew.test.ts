import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { openOwner } from '../../server/platform/postgres/db.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { cloneTemplate } from '../../server/testing/database.ts';
import { beginAnew } from './begin-anew.ts';

it('a migration that is being written begins the database anew, one that has landed never does', async () => {
  const database = await cloneTemplate(inject('adminUrl'));
  const owner = openOwner(database.url, pino({ level: 'silent' }));
  const tables = async () =>
    (await owner.query("select from pg_tables where schemaname in ('public', 'graphile_worker')")).rowCount;
  try {
    const all = await tables();
    await owner.query("update migrations set sha256 = 'other' where name = '0001-users.sql'");
    expect([await beginAnew(database.url), await tables()]).toEqual([[], all]);
    await owner.query("insert into migrations (name, sha256) values ('9999-half.sql', 'written')");
    expect([await beginAnew(database.url), await tables()]).toEqual([['9999-half.sql'], 0]);
    expect(await beginAnew(database.url)).toEqual([]);
    await migrate(owner);
    expect([await beginAnew(database.url), await tables()]).toEqual([[], all]);
  } finally {
    await owner.end();
    await database.drop();
  }
});
