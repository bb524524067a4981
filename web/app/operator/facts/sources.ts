import type { PaymentSource } from '@tallystick/contract/operator/methods';
import { counted } from '../../domain/dates.ts';

const texts: Record<PaymentSource, string> = {
  fixed: 'One address for everyone',
  derived: 'Own addresses from a key',
  tagged: 'One address with own tags',
};

/** How investors are told apart by where they send. */
export const sourceText = ({ source }: { source: PaymentSource }): string => texts[source];

/** How many investors were given something of their own; null where there is nothing to give. */
export function givenText({ source, given }: { source: PaymentSource; given: number }): string | null {
  if (source === 'fixed') return null;
  const what = source === 'derived' ? counted(given, 'address', 'addresses') : counted(given, 'tag');
  return `${what} given out`;
}
