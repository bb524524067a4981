import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { cloneTemplate } from '../../testing/database.ts';

it('the checked-in types of the database are those of the migrated schema (npm run schema writes them)', async () => {
  const database = await cloneTemplate(inject('adminUrl'));
  try {
    const run = promisify(execFile)('node', ['tools/schema.ts', '--verify', '--url', database.url]);
    await expect(run).resolves.toBeTruthy();
  } finally {
    await database.drop();
  }
});

it('the queue has the schema that servers of the version before work with: its next one is a step of its own (decision 029)', async () => {
  const database = await cloneTemplate(inject('adminUrl'));
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const { rows } = await admin.query('select max(id) as newest from graphile_worker.migrations');
  await admin.end();
  await database.drop();
  expect(rows).toEqual([{ newest: 20 }]);
});
