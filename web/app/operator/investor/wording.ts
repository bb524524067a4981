import type { CallAnswer } from '@tallystick/contract/call';
import type { investor, record } from '@tallystick/contract/operator/investors';
import { counted, dayOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';

export type InvestorAnswer = CallAnswer<typeof investor>;
type RecordAnswer = CallAnswer<typeof record>;

export function whoSentence({ investor: { email, since, verified }, devices }: InvestorAnswer): string {
  const parts = [email, `since ${dayOf(since)}`, counted(devices, 'device')];
  return [...parts, ...(verified ? [] : ['e-mail not verified'])].join(', ');
}

interface RecordWords {
  state: 'passed' | 'failed' | 'unknown';
  title: string;
  text: string;
}

/** Only what the server has just computed is said to be so: the chain, and that its sum is the wallet. */
export function recordWords({ entries, sum, finding }: RecordAnswer): RecordWords {
  if (finding !== null) return { state: 'failed', title: 'Record broken.', text: `The wallet: ${finding}.` };
  if (entries === 0) {
    return { state: 'unknown', title: 'No entries yet.', text: 'There is nothing to check.' };
  }
  const carry =
    entries === 1
      ? 'The one entry is as it was written.'
      : `${counted(entries, 'entry', 'entries')}, each carrying the code of the one before.`;
  return {
    state: 'passed',
    title: 'Record unbroken.',
    text: `${carry} Sum ${usd(sum)}, equal to the ledger.`,
  };
}
