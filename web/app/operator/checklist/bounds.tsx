import type { BoundsChange, WireBounds } from '@tallystick/contract/bounds';
import { boundschanges } from '@tallystick/contract/operator/checklist';
import { useId, useRef, useState } from 'react';
import { agoOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { boundsChanges, boundsLines } from '../facts/wording.ts';
import { AgreeButton, useSecondDecision } from '../forms/second-decision.tsx';
import { BoundsForm } from './bounds-form.tsx';

/** What one operator may do alone. Narrower or wider, another set takes two. */
export function Bounds({ bounds, change }: { bounds: WireBounds; change: BoundsChange | null }) {
  const [isAsking, setAsking] = useState(false);
  const asking = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsking(false);
    requestAnimationFrame(() => asking.current?.focus());
  };
  return (
    <Card aria-label="What one operator may do alone" className="grid gap-4.5 p-5 tablet:p-6">
      <div>
        <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">What one operator may do alone</h2>
        <p className="mt-1 text-control text-2">
          Beyond this a second operator has to agree. Deposits and payouts of a day are added up: by investor,
          by the address they go to, and by the operator who decides alone.
        </p>
      </div>
      <dl className="grid gap-2.5 text-control tabular-nums">
        {boundsLines(bounds).map(({ name, value, isMost }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-2">{name}</dt>
            <dd className="font-semibold">{isMost ? `up to ${value}` : value}</dd>
          </div>
        ))}
      </dl>
      {change ? (
        <WaitingChange change={change} />
      ) : isAsking ? (
        <BoundsForm bounds={bounds} onClose={close} />
      ) : (
        <Button ref={asking} className="justify-self-start max-tablet:w-full" onClick={() => setAsking(true)}>
          Ask for other bounds
        </Button>
      )}
    </Card>
  );
}

function WaitingChange({ change }: { change: BoundsChange }) {
  const decision = useSecondDecision(boundschanges, change.askedbyid);
  const { isOwn, agree, discard } = decision;
  const now = useNow();
  const sentence = useId();
  const input = { params: { id: change._id } };
  return (
    <div className="grid gap-3.5 rounded-code bg-sunken p-4 inset-ring inset-ring-line">
      <div className="text-control text-2 tabular-nums">
        <ul>
          {boundsChanges(change).map(({ name, from, to }) => (
            <li key={name}>
              {name}: {from} becomes <b className="font-semibold text-1">{to}</b>
            </li>
          ))}
        </ul>
        <p id={sentence} className="mt-2">
          {isOwn ? 'You asked for this' : `${change.askedby} asked for this`}, {agoOf(change.askedat, now)}.{' '}
          {isOwn ? 'Another operator must agree.' : 'It waits for a second operator.'}
        </p>
      </div>
      <div className="flex gap-2 max-tablet:*:flex-1">
        <Button
          busy={decision.busy}
          onClick={() => discard(input, { done: 'The other bounds were discarded' })}
        >
          Discard
        </Button>
        <AgreeButton
          decision={decision}
          aria-describedby={sentence}
          onClick={() => agree(input, { done: 'The new bounds count from now on' })}
        >
          Agree
        </AgreeButton>
      </div>
    </div>
  );
}
