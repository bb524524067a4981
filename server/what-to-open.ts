import type { Config } from './config/config.ts';
import { readSamplePeople } from './config/content.ts';
import { demoInvestor } from './demo/people.ts';

interface Opening {
  config: Pick<Config, 'siteUrl'>;
  hasInbox: boolean;
  /** Null when the database is not the embedded one. */
  dataDir: string | null;
}

/** What a person who has started a demo wants to know. */
export function whatToOpen({ config: { siteUrl }, hasInbox, dataDir }: Opening): string {
  const places: [name: string, place: string][] = [['Site', siteUrl]];
  places.push(['Log in with', `${demoInvestor.email}  /  ${demoInvestor.password}`]);
  places.push(['Console', `${siteUrl}/operator`]);
  for (const { email, password, totpSecret } of readSamplePeople().operators) {
    places.push(['Operator', `${email}  /  ${password}  /  authenticator ${totpSecret}`]);
  }
  if (hasInbox) places.push(['E-mails', `${siteUrl}/dev/inbox`]);
  places.push(['Letters', `${siteUrl}/dev/letters`]);
  places.push(['UI pieces', `${siteUrl}/dev/ui`]);
  places.push(['API reference', `${siteUrl}/api/docs`]);
  if (dataDir) places.push(['Data', dataDir]);
  const lines = places.map(([name, place]) => `  ${name.padEnd(13)}  ${place}`);
  const ready = 'Tallystick is ready (demo: sample data, no real money).';
  return ['', ready, '', ...lines, '', 'Stop with Ctrl-C.', ''].join('\n');
}
