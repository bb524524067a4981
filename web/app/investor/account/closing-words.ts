import type { ClosingState } from '@tallystick/contract/account';
import { counted } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';

export interface Hindrance {
  name: string;
  value: string;
  /** How it is cleared, and where. */
  advice: string;
  to?: string;
  place?: string;
}

/** What has to go first, in the order in which one would clear it. What can be left at closing is none. */
export function hindrancesOf(state: ClosingState): Hindrance[] {
  const all: (Hindrance | false)[] = [
    state.available > state.leave && {
      name: 'In your wallet',
      value: usd(state.available),
      advice: 'Withdraw what is in your wallet.',
      to: '/dashboard',
      place: 'Dashboard',
    },
    state.invested > 0 && {
      name: 'Invested',
      value: usd(state.invested),
      advice: 'Wait for the end of your investments, or leave them early where the plan offers it.',
      to: '/investment',
      place: 'Investments',
    },
    state.withdrawing > 0 && {
      name: 'Being withdrawn',
      value: usd(state.withdrawing),
      advice: 'Wait until your withdrawals are paid, or cancel them.',
      to: '/transaction',
      place: 'Transactions',
    },
    state.deposits > 0 && {
      name: 'Deposits under way',
      value: counted(state.deposits, 'deposit'),
      advice:
        'Wait until your deposits are added. If you never sent one that you announced, write to support.',
      to: '/transaction',
      place: 'Transactions',
    },
    state.corrections > 0 && {
      name: 'Not decided',
      value: counted(state.corrections, 'correction'),
      advice: 'A correction of your wallet waits for a second operator. Nothing to do but wait.',
    },
    state.frozen && {
      name: 'Withdrawals',
      value: 'Paused',
      advice: 'Support can tell you why.',
      to: '/mobilecontactus',
      place: 'Contact us',
    },
  ];
  return all.filter((each) => each !== false);
}

/** Before it is done, and in so many words. */
export function whatHappens({ keptdays }: ClosingState): string[] {
  return [
    'You are signed out everywhere, and nobody can sign in again.',
    'Your name, your password, your second factors, the browsers we knew, your saved addresses and your notices are deleted.',
    `Your e-mail address is kept for ${counted(keptdays, 'day')}, so that we can still write to you. Then only a sealed copy stays, for auditors of the books.`,
    'The entries of your accounts stay in the books, without your name: the chain would break without them.',
    'Do not send anything to your deposit addresses afterwards.',
  ];
}
