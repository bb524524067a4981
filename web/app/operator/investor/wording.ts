import type { CallAnswer } from '@tallystick/contract/call';
import type { investor, MaturityChoiceRow, record } from '@tallystick/contract/operator/investors';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { topicNames } from '../../domain/topics.ts';

export type InvestorAnswer = CallAnswer<typeof investor>;
type RecordAnswer = CallAnswer<typeof record>;

const factorWords = ({ authenticator, passkeys, recoverycodesleft }: InvestorAnswer['factors']): string[] => {
  const on = [authenticator && 'an authenticator', passkeys > 0 && counted(passkeys, 'passkey')].filter(
    Boolean,
  );
  if (on.length === 0) return ['no second factor'];
  return [`second factor: ${on.join(' and ')}`, `${counted(recoverycodesleft, 'recovery code')} left`];
};

export function protectionWords(protection: InvestorAnswer['addressprotection']): string {
  if (protection === null) return 'Not protected: withdrawals go to any address.';
  const { since, offfrom } = protection;
  const end = offfrom ? ` It ends ${dayOf(offfrom)}, ${timeOf(offfrom)}.` : '';
  return `Protected since ${dayOf(since)}: withdrawals go only to saved addresses.${end}`;
}

/** The name of a closed account is deleted; its address, while it is kept, stands beneath. */
export const nameOf = ({ fullname, closedat }: Pick<InvestorAnswer['investor'], 'fullname' | 'closedat'>) =>
  closedat === null ? fullname : 'Closed account';

export function whoSentence({
  investor: { email, since, verified, closedat },
  devices,
  factors,
}: InvestorAnswer): string {
  if (closedat !== null) return [email, `since ${dayOf(since)}`].filter(Boolean).join(', ');
  const parts = [
    ...(email ? [email] : []),
    `since ${dayOf(since)}`,
    counted(devices, 'device'),
    ...factorWords(factors),
  ];
  return [...parts, ...(verified ? [] : ['e-mail not verified'])].join(', ');
}

/** For whoever is asked why no letter came. */
export function lettersSentence(off: InvestorAnswer['lettersoff']): string {
  if (off.length === 0) return 'Gets every letter.';
  const parts = off.map(({ topic, since }) => `${topicNames[topic].toLowerCase()} since ${dayOf(since)}`);
  return `Wants no letters about ${parts.join(', ')}. All others are sent.`;
}

/** What is left of an account that its owner has closed; null for every other. */
export function closedWords({ closedat, emailuntil }: InvestorAnswer['investor']) {
  if (closedat === null) return null;
  const address = emailuntil
    ? `The e-mail address is kept until ${dayOf(emailuntil)}, so that its owner can be written to.`
    : 'The e-mail address is forgotten, too.';
  const text = `Its owner closed it when it was empty. The name and every way to sign in are deleted. ${address} Entries and proofs stay as they were; a payment that still comes is listed in the queue.`;
  return { title: `Closed on ${dayOf(closedat)}.`, text };
}

type Frozen = NonNullable<InvestorAnswer['frozen']>;

/** Whether one more word lets the money go, or a second operator has to say it, too. */
export function unfreezeWords({ afterloss, unfrozenfirst }: Frozen, name: string, operatorId: string) {
  if (!afterloss) {
    const lets = `${name} can withdraw again, and requests that wait can be approved and paid.`;
    return { note: null, isOff: false, explains: lets };
  }
  const two = 'Two operators have to unfreeze them';
  if (unfrozenfirst === null) {
    const first = `A credited payment is gone from its network, so two operators have to say it. You are the first: until another one has, no withdrawal of ${name} is approved or paid.`;
    return { note: `${two}.`, isOff: false, explains: first };
  }
  if (unfrozenfirst.operator === operatorId) {
    return { note: `${two}. You have; another one has not yet.`, isOff: true, explains: '' };
  }
  const second = `${unfrozenfirst.name} has said so first. With you ${name} can withdraw again, although a credited payment is gone from its network.`;
  return { note: `${two}. ${unfrozenfirst.name} has; one more does.`, isOff: false, explains: second };
}

/** What is said when it was sent: whether that was the last word. */
export const unfrozenText = (frozen: boolean, name: string): string =>
  frozen
    ? `Noted. Withdrawals of ${name} stay frozen until a second operator says so`
    : `${name} can withdraw again`;

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

/** Nothing was chosen any more where the wallet is. */
export const chosenWords = ({ maturity: { choice } }: MaturityChoiceRow): string =>
  ({ wallet: 'The wallet', principal: 'Principal again', everything: 'Everything again' })[choice];

export function toldWords({ maturity: { told } }: MaturityChoiceRow): string {
  if (told === null) return 'Not yet';
  const how = `${told.by === 'letter' ? 'By letter' : 'On the screen'}, ${dayOf(told.at)}`;
  if (told.terms === null) return `${how}: it will be paid. ${told.reason ?? ''}`.trim();
  const { amount, planname, duration, roi, profit } = told.terms;
  return `${how}: ${usd(amount)} in ${planname}, ${duration} days, ROI ${roi}%, ${usd(profit)} profit`;
}

export function becameWords({ maturity, settledat }: MaturityChoiceRow): string {
  const { outcome, reason, reinvestedas } = maturity;
  if (outcome === 'reinvested') return `Invested again as ${reinvestedas ?? ''}`.trim();
  if (outcome === 'paid') return `Paid to the wallet. ${reason ?? ''}`.trim();
  return settledat === null ? 'Not yet' : 'Ended without it';
}
