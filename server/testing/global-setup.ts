import type { TestProject } from 'vitest/node';
import { startThrowAwayDatabase } from './throw-away-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
  }
}

/** One real PostgreSQL for the whole run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, stop } = await startThrowAwayDatabase();
  project.provide('adminUrl', adminUrl);
  return stop;
}
