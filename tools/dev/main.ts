/**
 * `npm run dev`: one address, behind which Vite draws the pages and a server that is started anew with every edit
 * answers the rest. The embedded database belongs to this process, so that it outlives the server's restarts.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, createConfig } from '../../server/config/config.ts';
import { readEnv } from '../../server/config/env.ts';
import { openEmbeddedDatabase } from '../../server/platform/embedded-postgres/embedded-database.ts';
import { freePort } from '../../server/platform/embedded-postgres/process.ts';
import { contentSecurityPolicyFor, placePages } from '../../server/platform/http/pages.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { endingSignals, whenNpmIsGone } from '../../server/told-to-end.ts';
import { whatToOpen } from '../../server/what-to-open.ts';
import { startAnew } from './anew.ts';
import { type Front, startFront } from './front.ts';
import { type Side, startSide, tell } from './side.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const cache = path.join(root, 'node_modules', '.cache');

/** The server wants pages to start with; those it has here are never asked for. */
function makeStandInPages(): string {
  const dir = path.join(cache, 'dev-pages');
  mkdirSync(path.join(dir, 'assets'), { recursive: true });
  writeFileSync(path.join(dir, '__spa-fallback.html'), '<!doctype html><title>npm run dev</title>');
  return dir;
}

function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = createConfig(readEnv(process.env));
  if (config.mode === 'demo') return config;
  throw new Error('npm run dev is for demo mode: sample data, this machine only.');
}

interface Ports {
  server: number;
  web: number;
}

function startServer(
  config: Config,
  ports: Ports,
  embeddedUrl: string | undefined,
  onDeaf: (error: Error) => void,
) {
  const name = 'server';
  const env = {
    PORT: String(ports.server),
    SITE_URL: config.siteUrl,
    DATA_DIR: config.dataDir,
    DATABASE_URL: embeddedUrl ?? config.databaseUrl ?? '',
    EMBEDDED_URL: embeddedUrl ?? '',
    WEB_DIR: makeStandInPages(),
    NODE_COMPILE_CACHE: path.join(cache, 'node-compile'),
  };
  return startAnew({
    name,
    start: () =>
      startSide({ name, command: [process.execPath, 'tools/dev/server.ts'], cwd: root, env, listens: true }),
    folders: ['server', 'contract', 'content'].map((folder) => path.join(root, folder)),
    onDeaf,
  });
}

function startWeb(config: Config, ports: Ports): Side {
  const where = ['--host', '127.0.0.1', '--port', String(ports.web), '--strictPort'];
  return startSide({
    name: 'web',
    command: [path.join(root, 'node_modules', '.bin', 'react-router'), 'dev', ...where],
    cwd: path.join(root, 'web'),
    env: { SITE_URL: config.siteUrl },
    pauseMs: 1_000,
  });
}

async function main(): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  let ending: Promise<never> | undefined;
  const end = (exitCode: number) => {
    ending ??= (async () => {
      for (const close of closers.splice(0).reverse()) await close();
      process.exit(exitCode);
    })();
    return ending;
  };
  for (const signal of endingSignals) process.on(signal, () => void end(0));
  // Whoever read what is told here is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void end(0));
  whenNpmIsGone(() => void end(0));

  try {
    const config = readConfig();
    const ports = { server: await freePort(), web: await freePort() };
    const place = placePages({ demo: true, siteUrl: config.siteUrl });
    let server: ReturnType<typeof startServer> | undefined;
    const front: Front = await startFront({
      host: config.host,
      port: config.port,
      ports,
      mendPage(html) {
        const placed = place(html);
        return { html: placed, contentSecurityPolicy: contentSecurityPolicyFor(placed) };
      },
      isDown: (side) => side === 'server' && (server?.isDown() ?? false),
    });
    closers.push(front.close);
    const embedded = config.databaseUrl
      ? null
      : await openEmbeddedDatabase({ dataDir: config.dataDir, logger: createLogger('warn') });
    if (embedded) {
      closers.push(embedded.stop);
      void embedded.lost.then((error) => {
        tell('dev', error.message);
        void end(1);
      });
    }
    const web = startWeb(config, ports);
    closers.push(web.end);
    server = startServer(config, ports, embedded?.url, (error) => {
      tell('dev', `Edits of the server are not heard of any more: ${error.message}`);
      void end(1);
    });
    closers.push(server.end);
    void web.ended.then(() => {
      if (!ending) tell('dev', 'Vite has ended, see above; the rest ends, too.');
      void end(1);
    });
    await front.bothAnswer();
    const hasInbox = config.smtpUrl === undefined;
    process.stdout.write(whatToOpen({ config, hasInbox, dataDir: embedded?.dataDir ?? null }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tell(
      'dev',
      code === 'EADDRINUSE' ? 'The port is in use. Choose another: PORT=3001 npm run dev' : message,
    );
    await end(1);
  }
}

await main();
