import { addresschanges } from '@tallystick/contract/operator';
import type { OfferedPaymentMethod } from '@tallystick/contract/operator-offers';
import { useId } from 'react';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { useAct } from '../act.ts';
import { useWho } from '../who.ts';
import { Mark, networkName } from './networks.tsx';

/** The addresses that one operator asked for and another must agree to. */
export function Proposals({ methods }: { methods: readonly OfferedPaymentMethod[] }) {
  const waiting = methods.filter(({ proposed }) => proposed !== null);
  if (waiting.length === 0) return null;
  return (
    <Card aria-label="Waits for a second operator">
      <h2 className="px-5 pt-4.5 text-body tracking-[-0.01em] tablet:px-6">Waits for a second operator</h2>
      <ul>
        {waiting.map((method) => (
          <Proposal key={method._id} method={method} />
        ))}
      </ul>
    </Card>
  );
}

function Proposal({ method }: { method: OfferedPaymentMethod }) {
  const now = useNow();
  const { proposed, paymentname, paymentaddress, network, coin } = method;
  if (!proposed) return null;
  const isNew = !paymentaddress || paymentaddress === proposed.paymentaddress;
  return (
    <li className="grid gap-x-6 gap-y-4 border-line px-5 py-4.5 not-first:border-t tablet:grid-cols-[minmax(0,1fr)_auto] tablet:px-6">
      <div className="grid min-w-0 gap-3">
        <div className="flex items-center gap-3">
          <Mark of={coin || network} />
          <p className="min-w-0 text-control/5">
            <b className="font-semibold">
              {isNew ? `New method ${paymentname}` : `Another address for ${paymentname}`}
            </b>
            <span
              className="block text-caption text-3"
              title={`${dayOf(proposed.askedat)}, ${timeOf(proposed.askedat)}`}
            >
              {networkName(proposed.network)}, asked by {proposed.askedby} {agoOf(proposed.askedat, now)}
            </span>
          </p>
        </div>
        <dl className="grid gap-x-4 gap-y-1 text-label tablet:grid-cols-[auto_minmax(0,1fr)]">
          {!isNew && (
            <>
              <dt className="text-3">Address now</dt>
              <dd className="mb-1 font-mono text-[0.93em] tracking-[-0.01em] break-all text-2">
                {paymentaddress}
              </dd>
            </>
          )}
          <dt className="text-3">New address</dt>
          <dd className="min-w-0">
            <Copyable what="the new address">{proposed.paymentaddress}</Copyable>
          </dd>
        </dl>
      </div>
      <Decision changeid={proposed.changeid} askedbyid={proposed.askedbyid} name={paymentname} />
    </li>
  );
}

function Decision({ changeid, askedbyid, name }: { changeid: string; askedbyid: string; name: string }) {
  const isMine = useWho().operator._id === askedbyid;
  const confirming = useAct(addresschanges.confirm);
  const discarding = useAct(addresschanges.discard);
  const busy = confirming.busy || discarding.busy;
  const noteId = useId();
  const input = { params: { id: changeid } };
  // The row goes, and the focus with it; the page's beginning is the next best place.
  const onDone = () => document.getElementById('main')?.focus({ preventScroll: true });
  return (
    <div className="grid content-center gap-2.5 tablet:w-60">
      <div className="flex gap-2.5 *:flex-1 tablet:justify-end">
        <Button
          look="primary"
          disabled={isMine || busy}
          aria-describedby={noteId}
          onClick={() => confirming.act(input, { done: `The new ${name} address is on the site`, onDone })}
          className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3 disabled:inset-ring disabled:inset-ring-line"
        >
          Confirm<span className="sr-only"> the {name} address</span>
        </Button>
        <Button
          disabled={busy}
          onClick={() => discarding.act(input, { done: `The new ${name} address was discarded`, onDone })}
        >
          Discard<span className="sr-only"> the {name} address</span>
        </Button>
      </div>
      <p id={noteId} className="text-caption text-3">
        {isMine
          ? 'You asked for it, so another operator confirms it.'
          : 'Compare every character with a source of your own first.'}
      </p>
    </div>
  );
}
