import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Asked, separator } from '../load/load.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('client.ts', import.meta.url));

/** Every investor always at the same server, or each request at whichever is free. */
export type Routing = 'sticky' | 'spread';

export interface Asking {
  ports: number[];
  file: string;
  connections: number;
  seconds: number;
  routing: Routing;
  /** Whose turn it is first, and what the keys of this time begin with. */
  first: number;
  stamp: string;
}

export interface Heard extends Asked {
  p50_ms: number;
  p99_ms: number;
}

/** Requests that are sent in turn, by a program of its own, whose cost can then be told from that of the servers. */
export async function createCrowd(file: string, requests: string[]) {
  await writeFile(file, requests.join(separator));
  return async (asking: Pick<Asking, 'ports' | 'connections' | 'seconds' | 'routing'>): Promise<Heard> => {
    const first = Math.floor(Math.random() * requests.length);
    const all: Asking = { ...asking, file, first, stamp: `${Date.now()}-` };
    const { stdout } = await run(process.execPath, [client, JSON.stringify(all)]);
    const heard: Heard = JSON.parse(stdout);
    if (heard.failed > 0) throw new Error(`the load failed: ${stdout}`);
    return heard;
  };
}
