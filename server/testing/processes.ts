import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../platform/embedded-postgres/process.ts';
import { makeLogKeyFile, makeSecretFile, productionEnv } from './production.ts';
import { makeWebDir } from './start-app.ts';

const entry = fileURLToPath(new URL('server-process.ts', import.meta.url));

export interface ServerProcess {
  url: string;
  port: number;
  pid: number;
  /** All it has said and logged. */
  said(): string;
  isRunning(): boolean;
  /** How it ended; null when a signal ended it. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

export interface ProcessHome {
  start(env: NodeJS.ProcessEnv, shell?: string): Promise<ServerProcess>;
  close(): Promise<void>;
}

/** Starts servers in production mode as processes of their own; whatever a test leaves running is ended at the close. */
export async function makeProcessHome(): Promise<ProcessHome> {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-process-'));
  const WEB_DIR = await makeWebDir(dir);
  const SECRET_FILE = await makeSecretFile(dir);
  const LOG_KEY_FILE = await makeLogKeyFile(dir);
  const processes: ServerProcess[] = [];

  return {
    async start(env, shell) {
      const port = await freePort();
      const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
      const [command = '', ...args] = shell
        ? ['sh', '-c', shell.replace('server/main.ts', entry)]
        : [process.execPath, entry];
      const child = spawn(command, args, {
        cwd: dir,
        env: {
          PATH,
          NODE_COMPILE_CACHE,
          PORT: String(port),
          WEB_DIR,
          DATA_DIR: dir,
          ...productionEnv,
          SECRET_FILE,
          LOG_KEY_FILE,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said: string[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(String(data)));
      const started: ServerProcess = {
        url: `http://127.0.0.1:${port}`,
        port,
        pid: child.pid ?? 0,
        said: () => said.join(''),
        isRunning: () => child.exitCode === null && child.signalCode === null,
        ended: once(child, 'exit').then(([code]) => code),
        kill: (signal) => void child.kill(signal),
      };
      processes.push(started);
      return started;
    },
    async close() {
      for (const each of processes) if (each.isRunning()) each.kill('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
      await rm(dir, { recursive: true, force: true });
    },
  };
}
