import type { Call } from '@tallystick/contract/call';
import type { secondOperator } from '@tallystick/contract/operator/second-operator';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DrawerFoot } from '../../ui/overlays/drawer.tsx';
import { useWho } from '../frame/who.ts';
import { useAct } from './act.ts';

/** A second operator agrees to what another asked for, or either discards it. */
export function useSecondDecision<Agree extends Call, Discard extends Call>(
  calls: { confirm: Agree; discard: Discard },
  /** Who asked for it, and so cannot agree. */
  askedbyid: string,
) {
  const isOwn = useWho().operator._id === askedbyid;
  const agreeing = useAct(calls.confirm);
  const discarding = useAct(calls.discard);
  return {
    isOwn,
    isAgreeing: agreeing.busy,
    busy: agreeing.busy || discarding.busy,
    agree: agreeing.act,
    discard: discarding.act,
  };
}

interface Decision {
  isOwn: boolean;
  busy: boolean;
}

export function AgreeButton({
  decision: { isOwn, busy },
  ...button
}: { decision: Decision } & ComponentProps<typeof Button>) {
  return <Button look="primary" disabled={isOwn || busy} {...button} />;
}

/** On the page that a thing belongs to, everything of its kind that waits. */
export function ProposalCard({ children }: { children: ReactNode }) {
  return (
    <Card aria-label="Waits for a second operator">
      <h2 className="px-5 pt-4.5 text-body tracking-[-0.01em] tablet:px-6">Waits for a second operator</h2>
      <ul>{children}</ul>
    </Card>
  );
}

interface Choice {
  label: string;
  /** Goes on where the label ends, for those who hear the buttons one after the other. */
  about: string;
  done: string;
}

interface ProposalRowProps {
  calls: ReturnType<typeof secondOperator>;
  id: string;
  askedbyid: string;
  agree: Choice;
  discard: Choice;
  /** What stands beneath the buttons, for whoever asked and for all others. */
  note: { own: string; others: string };
  /** What is asked for. */
  children: ReactNode;
}

export function ProposalRow({ calls, id, askedbyid, agree, discard, note, children }: ProposalRowProps) {
  const decision = useSecondDecision(calls, askedbyid);
  const noteId = useId();
  const input = { params: { id } };
  // The row goes, and the focus with it; the page's beginning is the next best place.
  const onDone = () => document.getElementById('main')?.focus({ preventScroll: true });
  return (
    <li className="grid gap-x-6 gap-y-4 border-line px-5 py-4.5 not-first:border-t tablet:grid-cols-[minmax(0,1fr)_auto] tablet:px-6">
      {children}
      <div className="grid content-center gap-2.5 tablet:w-60">
        <div className="flex gap-2.5 *:flex-1 tablet:justify-end">
          <AgreeButton
            decision={decision}
            aria-describedby={noteId}
            onClick={() => decision.agree(input, { done: agree.done, onDone })}
          >
            {agree.label}
            <span className="sr-only"> {agree.about}</span>
          </AgreeButton>
          <Button
            busy={decision.busy}
            onClick={() => decision.discard(input, { done: discard.done, onDone })}
          >
            {discard.label}
            <span className="sr-only"> {discard.about}</span>
          </Button>
        </div>
        <p id={noteId} className="text-caption text-3">
          {decision.isOwn ? note.own : note.others}
        </p>
      </div>
    </li>
  );
}

interface Press {
  label: string;
  done: string;
  send: (outcome: { done: string; onDone: () => void; onRefused: (why: string) => void }) => void;
}

interface DecisionFootProps {
  decision: Decision;
  /** The drawer was opened in order to discard it. */
  isDiscarding: boolean;
  /** Spins while the answer is on its way. */
  agree: Press & { spins: boolean };
  /** Null where nobody can take it back. */
  discard: Press | null;
  onDone: () => void;
  /** What else can be done. */
  children?: ReactNode;
}

/** The same at the foot of a drawer of the queue. The button that was meant when it was opened has the focus. */
export function DecisionFoot(props: DecisionFootProps) {
  const { decision, isDiscarding, agree, discard, onDone, children } = props;
  const [refusal, setRefusal] = useState<string | null>(null);
  const meant = useRef<HTMLButtonElement>(null);
  const meansDiscard = isDiscarding || decision.isOwn;
  useEffect(() => meant.current?.focus(), []);

  const press =
    ({ done, send }: Press) =>
    () => {
      setRefusal(null);
      send({ done, onDone, onRefused: setRefusal });
    };
  return (
    <DrawerFoot refusal={refusal}>
      {children}
      {discard && (
        <Button ref={meansDiscard ? meant : undefined} busy={decision.busy} onClick={press(discard)}>
          {discard.label}
        </Button>
      )}
      <AgreeButton ref={meansDiscard ? undefined : meant} decision={decision} onClick={press(agree)}>
        {agree.spins && <Spinner />}
        {agree.label}
      </AgreeButton>
    </DrawerFoot>
  );
}
