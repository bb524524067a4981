import { networks } from '@tallystick/contract/networks';
import { type ColdChange, coldchanges } from '@tallystick/contract/operator/books';
import { agoOf, counted, whenOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { ProposalCard, ProposalRow } from '../forms/second-decision.tsx';

/** What one operator asked for and another must agree to. */
export function ColdProposals({ changes }: { changes: readonly ColdChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ProposalCard>
      {changes.map((change) => (
        <ColdProposal key={change._id} change={change} />
      ))}
    </ProposalCard>
  );
}

function ColdProposal({ change }: { change: ColdChange }) {
  const now = useNow();
  const { network, label, address, removes, coins, askedat, askedby } = change;
  const about = `${label} as a cold address`;
  return (
    <ProposalRow
      calls={coldchanges}
      id={change._id}
      askedbyid={change.askedbyid}
      agree={{
        label: 'Confirm',
        about,
        done: removes ? `${label} counts no more` : `${label} counts from now on`,
      }}
      discard={{ label: 'Discard', about, done: `The change of ${label} was discarded` }}
      note={{
        own: 'You asked for it, so another operator confirms it.',
        others: removes
          ? 'What lies there is not counted as held any more.'
          : 'Make sure yourself that the address is ours: what lies there counts as held.',
      }}
    >
      <div className="grid min-w-0 gap-3">
        <div className="flex items-center gap-3">
          <CoinMark coin={network} size={28} />
          <p className="min-w-0 text-control/5">
            <b className="font-semibold wrap-anywhere">
              {removes ? `Count ${label} no more` : `Cold address ${label}`}
            </b>
            <span className="block text-caption text-3" title={whenOf(askedat)}>
              {networks[network].name}, asked by {askedby} {agoOf(askedat, now)}
            </span>
          </p>
        </div>
        <dl className="grid gap-x-4 gap-y-1 text-label tablet:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-3">Address</dt>
          <dd className="min-w-0">
            <Copyable what="the address">{address}</Copyable>
          </dd>
          {coins.length > 0 && (
            <>
              <dt className="text-3">{counted(coins.length, 'coin')}</dt>
              <dd className="grid min-w-0 justify-items-start">
                {coins.map((coin) => (
                  <Copyable key={coin} what="the coin">
                    {coin}
                  </Copyable>
                ))}
              </dd>
            </>
          )}
        </dl>
      </div>
    </ProposalRow>
  );
}
