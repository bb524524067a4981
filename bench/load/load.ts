import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Done } from '../server/loop.ts';

const run = promisify(execFile);
const own = fileURLToPath(new URL('http-client.ts', import.meta.url));
const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Between the requests of a file; where a request has the mark, each sending puts a key of its own. */
export const separator = '\x1e';
export const keyMark = '{key}';

/** What a program that asks says at its end. */
export interface Asked extends Done {
  /** Answers other than 2xx, and connections that broke. */
  failed: number;
}

const folders = (process.env.PATH ?? '').split(path.delimiter);
/** The usual load generator, where it is installed. */
export const wrk = folders.map((folder) => path.join(folder, 'wrk')).find((file) => existsSync(file)) ?? null;

interface Request {
  method: string;
  path: string;
  bearer?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export function requestText({ method, path: url, bearer, headers = {}, body }: Request): string {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${url} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(bearer === undefined ? [] : [`authorization: Bearer ${bearer}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${sent.length}`, `idempotency-key: ${keyMark}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${sent}`;
}

/** Requests that are sent in turn over connections that are kept, one at a time on each, by a program of its own. */
export async function createLoad(file: string, requests: string[]) {
  await writeFile(file, requests.join(separator));
  return async ({ port, connections, seconds }: { port: number; connections: number; seconds: number }) => {
    // Nobody is asked for more often than others because a round begins.
    const first = Math.floor(Math.random() * requests.length);
    const stamp = `${Date.now()}-`;
    const args = [file, String(first), stamp];
    const said = wrk
      ? (await run(wrk, wrkArgs({ port, connections, seconds }, args))).stdout
      : await ownClient([String(port), String(connections), String(seconds), ...args]);
    const asked: Asked = JSON.parse(/^\{.*\}$/m.exec(said)?.[0] ?? 'null');
    if (!asked || asked.failed > 0) throw new Error(`the load failed: ${said}`);
    return asked;
  };
}

interface How {
  port: number;
  connections: number;
  seconds: number;
}

function wrkArgs({ port, connections, seconds }: How, args: string[]): string[] {
  const wholeSeconds = Math.max(1, Math.round(seconds));
  // Who waits long is not refused.
  const how = ['-t', '1', '-c', String(connections), '-d', `${wholeSeconds}s`, '--timeout', '60s'];
  return [...how, '-s', script, `http://127.0.0.1:${port}`, '--', ...args];
}

async function ownClient(args: string[]): Promise<string> {
  const child = spawn(process.execPath, [own, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
}
