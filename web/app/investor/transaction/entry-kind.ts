import type { BalanceEntry } from '@tallystick/contract/funding';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  CornerUpLeft,
  type LucideIcon,
  Minus,
  Pencil,
  Percent,
  TrendingUp,
  Undo2,
} from 'lucide-react';

interface Kind {
  Icon: LucideIcon;
  words: string;
}

const kinds: Record<string, Kind> = {
  Investment: { Icon: TrendingUp, words: 'Paid into a plan' },
  'Investment Return': { Icon: CornerUpLeft, words: 'The plan’s amount came back' },
  'Early Exit': { Icon: CornerUpLeft, words: 'The amount came back early' },
  'Exit Fee': { Icon: Minus, words: 'For leaving early' },
  Profit: { Icon: Percent, words: 'What the plan earned' },
  Withdrawal: { Icon: ArrowUpFromLine, words: 'Taken out' },
  'Withdrawal Returned': { Icon: Undo2, words: 'Back in your balance' },
  Correction: { Icon: Pencil, words: 'Made by an operator' },
};

/** Every other funding type is the name of a payment method: a deposit that was confirmed. */
const deposit: Kind = { Icon: ArrowDownToLine, words: 'Deposit confirmed' };

/** A withdrawal takes its amount once; what became of that is told with the same entry. */
const withdrawalWords = {
  held: 'Held until it is paid',
  paid: 'Paid out',
  returned: 'Returned to your balance',
};

/** Its request bears the same transaction id, and is its receipt. */
export const isDeposit = ({ fundingtype }: BalanceEntry): boolean => !(fundingtype in kinds);

/** A reason says most; next best is the entry that this one belongs to. */
export function kindOf({ fundingtype, reason, reference, withdrawalstate }: BalanceEntry): Kind {
  const { Icon, words } = kinds[fundingtype] ?? deposit;
  if (withdrawalstate) return { Icon, words: withdrawalWords[withdrawalstate] };
  if (reason) return { Icon, words: reason };
  return { Icon, words: reference?.startsWith('TS-') ? `For ${reference}` : words };
}
