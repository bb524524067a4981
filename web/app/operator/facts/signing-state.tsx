import type { Signing } from '@tallystick/contract/operator/signing';
import { BadgeCheck, PenLine } from 'lucide-react';
import { dayOf } from '../../domain/dates.ts';

interface SigningStateProps {
  signing: Signing;
  /** Whose address it is, for the button's name. */
  of: string;
  onOpen: () => void;
}

/** Whether an address has signed that it is ours; pressing it shows the message. */
export function SigningState({ signing: { signed }, of, onOpen }: SigningStateProps) {
  const Icon = signed ? BadgeCheck : PenLine;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="-mx-1.5 flex min-h-11 items-center gap-1.5 rounded-small px-1.5 text-caption font-label text-accent-text hover:bg-accent-tint tablet:min-h-7"
    >
      <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      {signed ? `Signed ${dayOf(signed.at)}` : 'Not signed yet'}
      <span className="sr-only"> by {of}</span>
    </button>
  );
}
