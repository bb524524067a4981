import { join } from 'node:path';
import { addSameRows, type Cluster, type Database } from './postgres/cluster.ts';
import type { Investor } from './server/investors.ts';
import { type ServerProcess, startServer } from './server/process.ts';

export const httpConnections = 128;
const spareCount = 2;

/** A server on a database of its own, with investors who have money and are signed in. */
export interface Bank {
  server: ServerProcess;
  database: Database;
  /** Those who invest all the time. */
  investors: Investor[];
  /** Those who do nothing of their own accord; their numbers follow. */
  spare: Investor[];
  investorCount: number;
  /** Numbers of those for whom only pgbench invests: the server's memories of its own stay true, as where it runs alone. */
  apart: { first: number; last: number };
  planId: string;
  /** The least that the plan takes. */
  amountCents: number;
  /** Removed with the cluster. */
  dir: string;
}

interface Opening {
  cluster: Cluster;
  database: Database;
  name: string;
  investorCount: number;
  apartCount?: number;
  smtpUrl: string;
  batchSizeMax: number | null;
}

export async function openBank(opening: Opening): Promise<Bank> {
  const { cluster, database, name, investorCount, apartCount = 0, smtpUrl, batchSizeMax } = opening;
  const dir = join(cluster.dir, name);
  const server = await startServer({ databaseUrl: database.url, dataDir: dir, smtpUrl, batchSizeMax });
  try {
    const prepared = await server.ask('prepare', { investorCount, spareCount, apartCount });
    await addSameRows(database);
    const others = investorCount + spareCount;
    const apart = { first: others + 1, last: others + apartCount };
    return { server, database, dir, investorCount, apart, ...prepared };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** What was measured must have been real: every balance is what its entries come to, every chain is whole. */
export async function assertBooksAddUp({ server }: Bank): Promise<number> {
  const { entries, findings } = await server.ask('checkBooks');
  if (findings.length > 0) throw new Error(`the books do not agree after the bench: ${findings.join('; ')}`);
  return entries;
}
