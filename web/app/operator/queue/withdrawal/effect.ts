import { usd } from '../../../domain/money/amount.ts';

/** What changes once it is marked as paid. */
export const effectOfPaying = (amount: string) => [
  { name: 'Held until now', value: amount },
  { name: 'Held after', value: usd(0) },
  { name: 'The investor is told', value: 'The transaction ID, by e-mail' },
];
