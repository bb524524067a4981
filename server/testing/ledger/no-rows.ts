import type { Db } from '../../platform/postgres/db.ts';

/** A database in which nothing is found, for a model that itself has what a command is about. */
export const noRows: Db = {
  selectFrom: () => noRows,
  select: () => noRows,
  where: () => noRows,
  orderBy: () => noRows,
  execute: async () => [],
} as unknown as Db;
