import { rm } from 'node:fs/promises';
import { prepareData } from './server.ts';

/** Once for the whole run, before the first test; what it answers is called after the last. */
export default async function prepare(): Promise<() => Promise<void>> {
  const folder = await prepareData();
  if (!folder) return async () => {};
  process.env.E2E_DATA = folder;
  return () => rm(folder, { recursive: true, force: true });
}
