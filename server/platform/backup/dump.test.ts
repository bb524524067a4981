import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { cloneTemplate } from '../../testing/database.ts';
import { demandRights } from './dump.ts';

it('a restored database has the rights that it should, no others, and every trigger', async () => {
  const database = await cloneTemplate(inject('adminUrl'));
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const once = async (change: string, back: string, why: RegExp) => {
    await owner.query(change);
    await expect(demandRights(database.url)).rejects.toThrow(why);
    await owner.query(back);
    await demandRights(database.url);
  };
  try {
    await demandRights(database.url);
    await once(
      'grant delete on ledger_entries to tallystick_app',
      'revoke delete on ledger_entries from tallystick_app',
      /what guards them is not: .* ledger_entries/,
    );
    await once(
      'revoke select on plans from tallystick_app',
      'grant select on plans to tallystick_app',
      /rights of tallystick_app are missing, on plans/,
    );
    await once(
      'alter table ledger_entries disable trigger user',
      'alter table ledger_entries enable trigger user',
      /what guards them is not/,
    );
  } finally {
    await owner.end();
    await database.drop();
  }
});
