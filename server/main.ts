import { existsSync } from 'node:fs';
import { createConfig } from './config/config.ts';
import { readSamplePeople } from './config/content.ts';
import { readEnv } from './config/env.ts';
import type { Context } from './context.ts';
import { demoInvestor } from './demo/people.ts';
import { seedDemo } from './demo/seed.ts';
import { runServer } from './process.ts';

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

runServer({
  readConfig() {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return createConfig(readEnv(process.env));
  },
  async prepare(context) {
    if (context.config.mode === 'demo') await seedDemo(context);
  },
  onReady: tellWhatToOpen,
});
