import { networkNameOf } from '@tallystick/contract/networks';
import type { OfferedPaymentMethod } from '@tallystick/contract/operator/methods';
import { addresschanges } from '@tallystick/contract/operator/methods';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Copyable } from '../../ui/actions/copyable.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { SecondDecision } from '../second-decision.tsx';

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
          <CoinMark coin={coin || network} size={28} />
          <p className="min-w-0 text-control/5">
            <b className="font-semibold">
              {isNew ? `New method ${paymentname}` : `Another address for ${paymentname}`}
            </b>
            <span
              className="block text-caption text-3"
              title={`${dayOf(proposed.askedat)}, ${timeOf(proposed.askedat)}`}
            >
              {networkNameOf(proposed.network)}, asked by {proposed.askedby} {agoOf(proposed.askedat, now)}
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
      <SecondDecision
        calls={addresschanges}
        id={proposed.changeid}
        askedbyid={proposed.askedbyid}
        agree={{
          label: (
            <>
              Confirm<span className="sr-only"> the {paymentname} address</span>
            </>
          ),
          done: `The new ${paymentname} address is on the site`,
        }}
        discard={{
          label: (
            <>
              Discard<span className="sr-only"> the {paymentname} address</span>
            </>
          ),
          done: `The new ${paymentname} address was discarded`,
        }}
        note={{
          own: 'You asked for it, so another operator confirms it.',
          others: 'Compare every character with a source of your own first.',
        }}
      />
    </li>
  );
}
