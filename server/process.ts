import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { type Context, createContext, type Overrides } from './context.ts';
import { listenAt } from './platform/http/connections/listening.ts';
import { isDatabaseAway } from './platform/postgres/away.ts';
import { oneAtATime, prepareLock } from './platform/postgres/locks.ts';
import { exitCodes, NotNow, StartRefusal } from './platform/start-refusal.ts';
import type { JobRunner } from './platform/work/jobs.ts';
import { endingSignals, goOnUnread, whenNpmIsGone } from './told-to-end.ts';
import { startWork } from './work.ts';

interface Running {
  readConfig(): Config;
  overrides?: Overrides;
  /** What has to be in the database before the first request. Of several that begin at one moment, one does it first. */
  prepare(context: Context): Promise<void>;
  onReady(context: Context): void;
  /** How long requests and jobs may take to finish after a signal. */
  closingMsMax?: number;
}

/** Where somebody else does it, only a statement that an operator has asked for here has to be given up. */
const workOf = (context: Context): JobRunner =>
  context.config.role === 'web' ? { stop: async () => context.proof.stop() } : startWork(context);

/** Who ends a group of processes, as a terminal and `timeout` do, tells us and npm, which hands it on: that is one wish. */
const sameWishMs = 500;

const tell = (text: string) => process.stderr.write(`Tallystick ${text}\n`);

async function listen(app: Awaited<ReturnType<typeof createApp>>, config: Config): Promise<void> {
  const { host, port } = config;
  await listenAt(app, { host, port }).catch((error) => {
    throw explainListening(error, config);
  });
}

/** In words that name the variable. */
function explainListening(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const { code = '' } = error;
  if (code === 'EADDRINUSE') {
    return new NotNow(`The port is in use. Choose another, for example: PORT=${port + 1} npm start`);
  }
  if (code === 'EACCES') {
    return new StartRefusal(
      `PORT ${port} may not be used by the user of this process: choose one above 1023 and put a proxy in front.`,
    );
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
    return new StartRefusal(
      `HOST ${host} is no address of this machine (${code}): 127.0.0.1 behind a proxy, 0.0.0.0 or :: for all.`,
    );
  }
  return error;
}

function exitCodeOf(error: Error): number {
  if (error instanceof StartRefusal) return exitCodes.refused;
  return error instanceof NotNow || isDatabaseAway(error) ? exitCodes.notNow : exitCodes.failed;
}

/** Whatever is wrong with it, only somebody can change it. */
function configured(readConfig: () => Config): Config {
  try {
    return readConfig();
  } catch (error) {
    throw new StartRefusal((error as Error).message);
  }
}

/** The life of the process: context, requests and jobs, until a signal or until it cannot go on. */
export function runServer(running: Running): void {
  const { readConfig, overrides, prepare, onReady, closingMsMax = 10_000 } = running;
  /** Set by a signal; a start that is under way gives up. */
  const stopping = new AbortController();
  let context: Context | undefined;
  let close = async () => {};

  async function start(): Promise<void> {
    const made = await createContext(configured(readConfig), { ...overrides, stopping: stopping.signal });
    context = made;
    close = made.close;
    for (const warning of made.config.warnings) made.logger.warn(warning);
    made.databaseLost.then((error) => end(error.message));
    const waiting = { logger: made.logger, signal: stopping.signal };
    await oneAtATime(made.owner, prepareLock, () => prepare(made), waiting);
    const app = await createApp(made);
    stopping.signal.throwIfAborted();
    const jobs = workOf(made);
    close = async () => {
      await Promise.all([app.close(), jobs.stop()]);
      await made.close();
    };
    await listen(app, made.config);
    onReady(made);
  }

  const started = start().catch(async (error) => {
    // Told to stop: whoever was told ends the process.
    if (stopping.signal.aborted) return;
    tell(`cannot start. ${error.message}`);
    await close().catch((failure) => tell(`did not stop cleanly: ${failure.message}`));
    process.exit(exitCodeOf(error));
  });

  /** Running requests and jobs may finish, within bounds; without a complaint all is well. */
  async function end(complaint?: string): Promise<never> {
    if (complaint) tell(`cannot go on. ${complaint}`);
    setTimeout(() => {
      context?.logger.error({ alert: true }, 'not everything had ended in time');
      tell(`did not stop within ${closingMsMax / 1000} seconds and ends now.`);
      process.exit(exitCodes.failed);
    }, closingMsMax);
    try {
      // Before there is a context, the start itself gives up and tidies.
      await (context ? close() : started);
    } catch (error) {
      tell(`did not stop cleanly: ${(error as Error).message}`);
      process.exit(exitCodes.failed);
    }
    process.exit(complaint ? exitCodes.failed : exitCodes.ended);
  }

  let toldAt = Number.NEGATIVE_INFINITY;
  function stop(signal?: NodeJS.Signals): void {
    if (!stopping.signal.aborted) {
      toldAt = performance.now();
      stopping.abort();
      return void end();
    }
    // Whoever tells it again does not want to wait; a terminal that is closed does not tell anything new.
    const isNews = signal !== 'SIGHUP' && performance.now() - toldAt > sameWishMs;
    if (isNews) process.exit(exitCodes.failed);
  }
  for (const signal of endingSignals) process.on(signal, stop);
  goOnUnread();
  whenNpmIsGone(() => stopping.signal.aborted || stop());
  tellUnheard(() => context?.logger);
}

/**
 * Requests and jobs wait for all that they begin, and what matters is in the database, done or undone: a promise that
 * nobody waited for is a fault to be told, not a reason to leave everyone without a server.
 */
function tellUnheard(logger: () => Context['logger'] | undefined): void {
  process.on('unhandledRejection', (error) => {
    const words = 'something failed that nobody waited for';
    if (logger()) logger()?.error({ alert: true, err: error }, words);
    else tell(`${words}: ${error}`);
  });
}
