import type { BoundsChange, FirstConfirmation, PlanProposal } from '@tallystick/contract/bounds';
import type { CallAnswer } from '@tallystick/contract/call';
import type { AddressChange } from '@tallystick/contract/operator/methods';
import type {
  QueuedCorrection,
  QueuedDeposit,
  QueuedRemoval,
  QueuedWithdrawal,
  queue,
} from '@tallystick/contract/operator/queue';

export type Queue = CallAnswer<typeof queue>;

/** Its key is its own among all kinds. */
interface Waiting {
  key: string;
  since: string;
}

export type DepositItem = Waiting & { kind: 'deposit'; of: QueuedDeposit };
export type WithdrawalItem = Waiting & { kind: 'withdrawal'; of: QueuedWithdrawal };

/** What one operator asked for and another must agree to. */
export type ProposalItem = Waiting &
  (
    | { kind: 'address'; of: AddressChange }
    | { kind: 'correction'; of: QueuedCorrection }
    | { kind: 'factors'; of: QueuedRemoval }
    | { kind: 'bounds'; of: BoundsChange }
    | { kind: 'plan'; of: PlanProposal }
  );

/** One thing that waits. */
export type Item = DepositItem | WithdrawalItem | ProposalItem;

export type View = 'all' | 'deposits' | 'withdrawals' | 'second';

/** The first of two confirmations, unless whoever gave it is an operator no more. */
export const firstThatCounts = ({ first }: Pick<QueuedDeposit, 'first'>): FirstConfirmation | null =>
  first && !first.departed ? first : null;

export type FirstPayment = NonNullable<QueuedWithdrawal['firstpaid']>;

/** The first of two who say that a withdrawal was paid, unless they are an operator no more. */
export const firstPaymentThatCounts = ({
  firstpaid,
}: Pick<QueuedWithdrawal, 'firstpaid'>): FirstPayment | null =>
  firstpaid && !firstpaid.departed ? firstpaid : null;

/**
 * Why this operator cannot approve a withdrawal, or mark it paid, now; null when nothing is in the way. The server
 * decides again: this only spares a press that could not succeed.
 */
export function whyOff(
  { frozen, status, approvals }: Pick<QueuedWithdrawal, 'frozen' | 'status' | 'approvals'>,
  ledgerFrozen: string | null,
  operatorId: string,
): string | null {
  if (ledgerFrozen !== null) return `All withdrawals are frozen: ${ledgerFrozen}`;
  if (frozen !== null) return `This investor’s withdrawals are frozen: ${frozen}`;
  if (status === 'requested' && approvals.some(({ operator }) => operator === operatorId)) {
    return 'You approved this. It needs a second operator.';
  }
  return null;
}

/** Where one operator has done their part and another is waited for, whatever it is about. */
function waitsForSecond(item: Item): boolean {
  if (item.kind === 'deposit') return firstThatCounts(item.of) !== null;
  if (item.kind !== 'withdrawal') return true;
  const { status, approvals } = item.of;
  return status === 'requested' ? approvals.length > 0 : firstPaymentThatCounts(item.of) !== null;
}

export function isIn(view: View, item: Item): boolean {
  if (view === 'deposits') return item.kind === 'deposit';
  if (view === 'withdrawals') return item.kind === 'withdrawal';
  return view === 'all' || waitsForSecond(item);
}

export function itemsOf(queue: Queue): Item[] {
  return [
    ...queue.deposits.map((of) => ({ kind: 'deposit' as const, of, since: of.requestedat })),
    ...queue.withdrawals.map((of) => ({ kind: 'withdrawal' as const, of, since: of.requestedat })),
    ...queue.addresschanges.map((of) => ({ kind: 'address' as const, of, since: of.askedat })),
    ...queue.corrections.map((of) => ({ kind: 'correction' as const, of, since: of.askedat })),
    ...queue.factorremovals.map((of) => ({ kind: 'factors' as const, of, since: of.askedat })),
    ...queue.boundschanges.map((of) => ({ kind: 'bounds' as const, of, since: of.askedat })),
    ...queue.planproposals.map((of) => ({ kind: 'plan' as const, of, since: of.askedat })),
  ].map((item) => ({ ...item, key: `${item.kind} ${item.of._id}` }));
}

/** At which step the drawer of an item opens. Only the first of two confirmations is dropped. */
export type Step = 'review' | 'reject' | 'drop';
export type OnOpen = (item: Item, step: Step) => void;

/** What every drawer of the queue is given about its item. */
export interface DrawerProps<Of extends Item> {
  item: Of;
  step: Step;
  /** It has left the queue while it was open. */
  isGone: boolean;
  onStep: (step: Step) => void;
  onClose: () => void;
}
