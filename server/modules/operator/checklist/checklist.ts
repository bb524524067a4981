import type { ChecklistItem } from '@tallystick/contract/operator/checklist';
import { lastBackup } from '../../../platform/backup/last-backup.ts';
import { hourMs } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/postgres/installation.ts';
import type { OperatorNeeds } from '../service.ts';

/** How this installation is set up, as far as the list asks. */
export interface Installation {
  mode: Mode;
  siteUrl: string;
  /** The secret was given, not made by itself. */
  hasOwnSecret: boolean;
  hasMailServer: boolean;
  /** Files in `content/` that are still the sample ones. */
  sampleContent: string[];
}

const backupAgeMsMax = 26 * hourMs;
const checkAgeMsMax = 2 * hourMs;
const operatorsMin = 2;

const hoursAgo = (ageMs: number) => {
  const hours = Math.floor(ageMs / hourMs);
  return hours === 0 ? 'less than an hour ago' : `${hours} h ago`;
};

/** What is missing before real people use it. Each line is looked up when it is asked for. */
export function createChecklist({ db, installation, clock, ledger, users, funding, log }: OperatorNeeds) {
  const now = () => clock.now().getTime();

  function content(): ChecklistItem {
    const { sampleContent: files } = installation;
    const detail =
      files.length === 0
        ? 'Brand, team and contacts are your own.'
        : `Still sample: ${files.join(', ')}. They are files in the folder content.`;
    return { key: 'content', title: 'Content is your own', done: files.length === 0, detail };
  }

  async function payments(): Promise<ChecklistItem> {
    const offered = (await funding.allPaymentMethods()).filter(({ active }) => active);
    const sample = offered.filter((method) => method.sample).map(({ paymentname }) => paymentname);
    const detail =
      sample.length > 0
        ? `Sample addresses: ${sample.join(', ')}. Change them under Methods.`
        : `${offered.length} ways in, none of them a sample.`;
    const done = sample.length === 0 && offered.length > 0;
    return { key: 'payments', title: 'Payment addresses are yours', done, detail };
  }

  async function backup(): Promise<ChecklistItem> {
    const title = 'Backup is fresh';
    const at = await lastBackup(db);
    if (!at) {
      const detail = 'This database knows of none. Let npm run backup -- <folder> run every night.';
      return { key: 'backup', title, done: false, detail };
    }
    // One that was dated by a clock that had jumped ahead is as new as can be.
    const ageMs = Math.max(0, now() - at.getTime());
    const detail = `The newest was made ${hoursAgo(ageMs)}.`;
    return { key: 'backup', title, done: ageMs <= backupAgeMsMax, detail };
  }

  async function operators(): Promise<ChecklistItem> {
    const { active, enrolled } = await users.operatorsWithAuthenticator();
    const done = enrolled >= operatorsMin && enrolled === active && installation.mode === 'production';
    const demo = installation.mode === 'demo' ? ' In demo mode their secrets are printed for everyone.' : '';
    const detail = `${enrolled} of ${active} have an authenticator; two are the least for the second-operator rules.${demo}`;
    return { key: 'operators', title: 'Two operators with authenticators', done, detail };
  }

  async function check(): Promise<ChecklistItem> {
    const last = await ledger.lastCheck();
    const title = 'The ledger was checked';
    if (!last) return { key: 'check', title, done: false, detail: 'It runs every hour and has not run yet.' };
    const ageMs = now() - last.at.getTime();
    const passed = (last.findings as unknown[]).length === 0;
    const detail = `${passed ? 'Passed' : 'Failed'} ${hoursAgo(ageMs)}, ${last.entries} entries.`;
    return { key: 'check', title, done: passed && ageMs <= checkAgeMsMax, detail };
  }

  async function publicLog(): Promise<ChecklistItem> {
    const { size, stopped, witnesses } = await log.state();
    const others = witnesses.filter(({ sample }) => !sample).length;
    const seen =
      others === 0
        ? 'Nobody outside has seen it: name witnesses in LOG_WITNESSES_FILE.'
        : `${others} of its witnesses are other people's.`;
    const detail = stopped ?? `${size} entries are signed. ${seen}`;
    const done = stopped === null && size > 0 && others > 0;
    return { key: 'log', title: 'The public log is signed and witnessed', done, detail };
  }

  function settings(): ChecklistItem[] {
    const { siteUrl, hasOwnSecret, hasMailServer } = installation;
    const https = siteUrl.startsWith('https:');
    const kept = hasOwnSecret ? 'Read from SECRET_FILE.' : 'Made by itself beside the data. Set SECRET_FILE.';
    const sent = hasMailServer
      ? 'Sent through SMTP_URL.'
      : 'It stays in the development inbox. Set SMTP_URL.';
    const reached = https ? siteUrl : `SITE_URL is ${siteUrl}.`;
    return [
      { key: 'secrets', title: 'Secrets are kept apart', done: hasOwnSecret, detail: kept },
      { key: 'mail', title: 'Mail leaves the house', done: hasMailServer, detail: sent },
      { key: 'https', title: 'The site is reached over https', done: https, detail: reached },
    ];
  }

  return {
    async checklist(): Promise<ChecklistItem[]> {
      const looked = await Promise.all([payments(), backup(), operators(), check(), publicLog()]);
      return [content(), ...settings(), ...looked];
    },
  };
}
