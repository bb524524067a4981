import { pino } from 'pino';
import { inject } from 'vitest';
import { openApp } from '../../platform/postgres/db.ts';
import { cloneTemplate } from '../database.ts';

/** A database of its own, open as the server opens it, for what needs nothing else of a server. */
export async function openDatabase() {
  const database = await cloneTemplate(inject('adminUrl'));
  const db = openApp(database.url, pino({ level: 'silent' }));
  return {
    db,
    url: database.url,
    adminUrl: database.adminUrl,
    async close(): Promise<void> {
      await db.destroy();
      await database.drop();
    },
  };
}
