import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { appLoginOf } from '../platform/postgres/app-login.ts';

export const templateDatabase = 'tallystick_template';
/** Owns the test databases; like a production owner it is no superuser. */
export const testOwner = 'tallystick_test';

export interface TestDatabase {
  url: string;
  /** As superuser, for tests that tamper. */
  adminUrl: string;
  drop(): Promise<void>;
}

const goodbyeMsMax = 2_000;

/** A pool that was ended may still be saying goodbye: cut off then, its client would fail with nobody to tell. */
async function lastGoodbyes(admin: pg.Pool, name: string): Promise<void> {
  for (const until = Date.now() + goodbyeMsMax; Date.now() < until; await delay(10)) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [name]);
    if (rowCount === 0) return;
  }
}

export async function cloneTemplate(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Pool({ connectionString: adminUrl, max: 1 });
  // Saying goodbye, it may be told that the database itself ends, be it at rest or not.
  admin.on('connect', (client) => client.on('error', () => {})).on('error', () => {});
  // By files: page by page through the log, as is usual, takes the server five times as long.
  await admin.query(
    `create database ${name} template ${templateDatabase} strategy file_copy owner ${testOwner}`,
  );
  const { rows } = await admin.query('select oid from pg_database where datname = $1', [name]);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const tampering = url.href;
  url.username = testOwner;
  url.password = testOwner;
  return {
    url: url.href,
    adminUrl: tampering,
    async drop() {
      await lastGoodbyes(admin, name);
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role if exists ${appLoginOf(rows[0].oid)}`);
      await admin.end();
    },
  };
}
