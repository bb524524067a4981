import { networkNameOf } from '@tallystick/contract/networks';
import { addresschanges, type OfferedPaymentMethod } from '@tallystick/contract/operator/methods';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { ProposalCard, ProposalRow } from '../forms/second-decision.tsx';

/** The addresses that one operator asked for and another must agree to. */
export function AddressProposals({ methods }: { methods: readonly OfferedPaymentMethod[] }) {
  const waiting = methods.filter(({ proposed }) => proposed !== null);
  if (waiting.length === 0) return null;
  return (
    <ProposalCard>
      {waiting.map((method) => (
        <AddressProposal key={method._id} method={method} />
      ))}
    </ProposalCard>
  );
}

function AddressProposal({ method }: { method: OfferedPaymentMethod }) {
  const now = useNow();
  const { proposed, paymentname, paymentaddress, network, coin } = method;
  if (!proposed) return null;
  const isNew = !paymentaddress || paymentaddress === proposed.paymentaddress;
  const about = `the ${paymentname} address`;
  return (
    <ProposalRow
      calls={addresschanges}
      id={proposed.changeid}
      askedbyid={proposed.askedbyid}
      agree={{ label: 'Confirm', about, done: `The new ${paymentname} address is on the site` }}
      discard={{ label: 'Discard', about, done: `The new ${paymentname} address was discarded` }}
      note={{
        own: 'You asked for it, so another operator confirms it.',
        others: 'Compare every character with a source of your own first.',
      }}
    >
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
    </ProposalRow>
  );
}
