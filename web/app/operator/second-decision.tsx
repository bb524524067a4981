import type { secondOperator } from '@tallystick/contract/operator/second-operator';
import { type ReactNode, useId } from 'react';
import { Button } from '../ui/actions/button.tsx';
import { useAct } from './act.ts';
import { useWho } from './who.ts';

interface SecondDecisionProps {
  calls: ReturnType<typeof secondOperator>;
  id: string;
  /** Who asked for it, and so cannot agree. */
  askedbyid: string;
  agree: { label: ReactNode; done: string };
  discard: { label: ReactNode; done: string };
  /** What stands beneath the buttons, for whoever asked and for all others. */
  note: { own: string; others: string };
}

/** A second operator agrees to what another asked for, or either discards it. */
export function SecondDecision({ calls, id, askedbyid, agree, discard, note }: SecondDecisionProps) {
  const isOwn = useWho().operator._id === askedbyid;
  const agreeing = useAct(calls.confirm);
  const discarding = useAct(calls.discard);
  const busy = agreeing.busy || discarding.busy;
  const noteId = useId();
  const input = { params: { id } };
  // The row goes, and the focus with it; the page's beginning is the next best place.
  const onDone = () => document.getElementById('main')?.focus({ preventScroll: true });
  return (
    <div className="grid content-center gap-2.5 tablet:w-60">
      <div className="flex gap-2.5 *:flex-1 tablet:justify-end">
        <Button
          look="primary"
          disabled={isOwn || busy}
          aria-describedby={noteId}
          onClick={() => agreeing.act(input, { done: agree.done, onDone })}
          className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3 disabled:inset-ring disabled:inset-ring-line"
        >
          {agree.label}
        </Button>
        <Button disabled={busy} onClick={() => discarding.act(input, { done: discard.done, onDone })}>
          {discard.label}
        </Button>
      </div>
      <p id={noteId} className="text-caption text-3">
        {isOwn ? note.own : note.others}
      </p>
    </div>
  );
}
