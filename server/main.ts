import { existsSync } from 'node:fs';
import { createApp } from './app.ts';
import { createConfig } from './config/config.ts';
import { readSamplePeople } from './config/content.ts';
import { readEnv } from './config/env.ts';
import { type Context, createContext } from './context.ts';
import { demoInvestor } from './demo/investor.ts';
import { refuseSampleOperators } from './demo/operators.ts';
import { seedDemo } from './demo/seed.ts';
import { startWork } from './work.ts';

const say = (line = '') => process.stdout.write(`${line}\n`);

function tellWhatToOpen({ config, inbox, embeddedDataDir }: Context): void {
  say();
  say(`Tallystick is ready${config.mode === 'demo' ? ' (demo: sample data, no real money)' : ''}.`);
  say();
  say(`  Site           ${config.siteUrl}`);
  if (config.mode === 'demo') {
    say(`  Log in with    ${demoInvestor.email}  /  ${demoInvestor.password}`);
    say(`  Console        ${config.siteUrl}/operator`);
    for (const { email, password, totpSecret } of readSamplePeople().operators) {
      say(`  Operator       ${email}  /  ${password}  /  authenticator ${totpSecret}`);
    }
    if (inbox) say(`  E-mails        ${config.siteUrl}/dev/inbox`);
  }
  say(`  API reference  ${config.siteUrl}/api/docs`);
  if (embeddedDataDir) say(`  Data           ${embeddedDataDir}`);
  say();
  say('Stop with Ctrl-C.');
}

async function start(): Promise<() => Promise<void>> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const context = await createContext(createConfig(readEnv(process.env)));
  const { config } = context;
  try {
    if (config.mode === 'demo') await seedDemo(context);
    else await refuseSampleOperators(context);
    const app = await createApp(context);
    const jobs = startWork(context);
    const close = async () => {
      await app.close();
      await jobs.stop();
      await context.close();
    };
    try {
      await app.listen({ host: config.host, port: config.port });
    } catch (error) {
      await close();
      throw error;
    }
    tellWhatToOpen(context);
    return close;
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** Lets running requests and jobs finish; a second signal does not wait. */
function closeOnSignal(close: () => Promise<void>): void {
  let closing = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1);
      closing = true;
      close().then(
        () => process.exit(0),
        (error) => {
          process.stderr.write(`Tallystick did not stop cleanly: ${error.message}\n`);
          process.exit(1);
        },
      );
    });
  }
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return 'The port is in use. Choose another, for example: PORT=3001 npm start';
  return error.message;
}

try {
  closeOnSignal(await start());
} catch (error) {
  process.stderr.write(`Tallystick cannot start. ${explain(error as Error)}\n`);
  process.exit(1);
}
