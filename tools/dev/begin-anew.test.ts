import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { cloneTemplate } from '../../server/testing/database.ts';
import { beginAnew } from './begin-anew.ts';

it('a migration that is being written begins the database anew, one that has landed never does', async ({
  onTestFinished,
}) => {
  const database = await cloneTemplate(inject('adminUrl'));
  onTestFinished(database.drop);
  const secret = randomBytes(32);
  const change = async (statement: string) => {
    const { owner, close } = await openDatabase({
      databaseUrl: database.url,
      databaseAppUrl: undefined,
      dataDir: '',
      secret,
      unseal: String,
      durable: false,
      mode: 'demo',
      samplePeople: { operators: [], investors: [] },
      logger: pino({ level: 'silent' }),
    });
    await owner.query(statement);
    await close();
  };

  await change("insert into migrations (name, sha256) values ('9999-half.sql', 'written')");
  expect(await beginAnew(database.url)).toEqual(['9999-half.sql']);
  expect(await beginAnew(database.url)).toEqual([]);
  await change("update migrations set sha256 = 'other' where name = '0001-users.sql'");
  expect(await beginAnew(database.url)).toEqual([]);
  await expect(change('select')).rejects.toThrow('was changed after it had been applied');
});
