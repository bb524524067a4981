import { networkNameOf } from '@tallystick/contract/networks';
import { addresschanges, type OfferedPaymentMethod } from '@tallystick/contract/operator/methods';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { KeyAddresses } from '../facts/key-addresses.tsx';
import { sourceText } from '../facts/sources.ts';
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
  const { proposed, paymentname, network, coin, agreed } = method;
  if (!proposed) return null;
  const thing = proposed.source === 'derived' ? 'key' : 'address';
  const about = `the ${paymentname} ${thing}`;
  return (
    <ProposalRow
      calls={addresschanges}
      id={proposed.changeid}
      askedbyid={proposed.askedbyid}
      agree={{ label: 'Confirm', about, done: `The new ${paymentname} ${thing} is on the site` }}
      discard={{ label: 'Discard', about, done: `The new ${paymentname} ${thing} was discarded` }}
      note={{
        own: 'You asked for it, so another operator confirms it.',
        others:
          thing === 'key'
            ? 'Compare the first addresses with the hardware wallet yourself first.'
            : 'Compare every character with a source of your own first.',
      }}
    >
      <div className="grid min-w-0 gap-3">
        <div className="flex items-center gap-3">
          <CoinMark coin={coin || network} size={28} />
          <p className="min-w-0 text-control/5">
            <b className="font-semibold">
              {agreed ? `Another ${thing} for ${paymentname}` : `New method ${paymentname}`}
            </b>
            <span
              className="block text-caption text-3"
              title={`${dayOf(proposed.askedat)}, ${timeOf(proposed.askedat)}`}
            >
              {networkNameOf(proposed.network)}, asked by {proposed.askedby} {agoOf(proposed.askedat, now)}
            </span>
          </p>
        </div>
        <Proposed method={method} proposed={proposed} />
      </div>
    </ProposalRow>
  );
}

interface ProposedProps {
  method: OfferedPaymentMethod;
  proposed: NonNullable<OfferedPaymentMethod['proposed']>;
}

function Proposed({ method, proposed }: ProposedProps) {
  const { source, key, path, paymentaddress, firstaddresses } = proposed;
  return (
    <dl className="grid gap-x-4 gap-y-1 text-label tablet:grid-cols-[auto_minmax(0,1fr)]">
      {method.agreed && (
        <>
          <dt className="text-3">{method.path ? 'Key now' : 'Address now'}</dt>
          <dd className="mb-1 font-mono text-[0.93em] tracking-[-0.01em] break-all text-2">
            {method.path ?? method.paymentaddress}
          </dd>
        </>
      )}
      {key === null ? (
        <>
          <dt className="text-3">New address</dt>
          <dd className="min-w-0">
            <Copyable what="the new address">{paymentaddress}</Copyable>
            {source === 'tagged' && <span className="block text-2">{sourceText(proposed)}</span>}
          </dd>
        </>
      ) : (
        <>
          <dt className="text-3">New key</dt>
          <dd className="mb-1 min-w-0">
            <Copyable what="the new key">{key}</Copyable>
          </dd>
          <dt className="text-3">Path</dt>
          <dd className="mb-1 font-mono text-[0.93em] tracking-[-0.01em]">{path}</dd>
          <dt className="text-3">First addresses</dt>
          <dd className="min-w-0">
            <KeyAddresses addresses={firstaddresses} />
          </dd>
        </>
      )}
    </dl>
  );
}
