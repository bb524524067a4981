import { DepositDrawer } from './deposit/deposit-drawer.tsx';
import type { Item, Queue, Step } from './item.ts';
import { SecondDrawer } from './proposal/proposal-drawer.tsx';
import { WithdrawalDrawer } from './withdrawal/withdrawal-drawer.tsx';

interface ItemDrawerProps {
  item: Item;
  step: Step;
  /** It has left the queue while it was open. */
  isGone: boolean;
  queue: Queue;
  now: Date;
  onStep: (step: Step) => void;
  onClose: () => void;
}

export function ItemDrawer({ item, queue, ...rest }: ItemDrawerProps) {
  if (item.kind === 'deposit') return <DepositDrawer item={item} queue={queue} {...rest} />;
  if (item.kind === 'withdrawal') return <WithdrawalDrawer item={item} frozen={queue.frozen} {...rest} />;
  return <SecondDrawer item={item} {...rest} />;
}
