import type { Topic } from '@tallystick/contract/notices';

/** What each kind of letters is called, by investors and by operators alike. */
export const topicNames: Record<Topic, string> = {
  deposits: 'Deposits',
  investments: 'Investments',
  terms: 'Terms and early exits',
  withdrawals: 'Withdrawals and corrections',
  addresses: 'Addresses',
  security: 'Security',
};
