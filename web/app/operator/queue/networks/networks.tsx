import { networks } from '@tallystick/contract/networks';
import type { NetworkState } from '@tallystick/contract/operator/networks';
import { SkeletonRows } from '../../../domain/lists/list-states.tsx';
import { useNow } from '../../../domain/now.ts';
import { CoinMark } from '../../../domain/prices/coin-mark.tsx';
import { Chip } from '../../../ui/facts/chip.tsx';
import { Failed } from '../../../ui/lists/empty.tsx';
import { Small } from '../../../ui/lists/table.tsx';
import { Section } from '../queue-row.tsx';
import { StrayPayments } from './stray-payments.tsx';
import { networksId } from './trouble.tsx';
import { useChains } from './use-chains.ts';
import { stateLines, stateWords } from './wording.ts';

/** How the chains are read, and what is on them that finds no way by itself. */
export function Networks() {
  const { data, isError, refetch } = useChains();
  return (
    <div id={networksId} className="grid scroll-mt-24 gap-3.5 tablet:gap-5">
      {data && <StrayPayments strays={data} />}
      <Section title="Networks">
        {data && <States all={data.networks} />}
        {!data && isError && (
          <div className="p-4 tablet:p-6">
            <Failed onRetry={refetch}>How the networks are could not be fetched.</Failed>
          </div>
        )}
        {!data && !isError && (
          <div aria-busy="true">
            <SkeletonRows height="h-16" count={1} />
          </div>
        )}
      </Section>
    </div>
  );
}

function States({ all }: { all: readonly NetworkState[] }) {
  const unwatched = all.filter(({ watched }) => !watched).map(({ network }) => networks[network].name);
  return (
    <>
      <ul>{all.map((state) => state.watched && <State key={state.network} state={state} />)}</ul>
      {unwatched.length > 0 && (
        <p className="border-t border-line px-5 py-3.5 text-label text-2 tablet:px-6">
          {unwatched.length === all.length ? 'None is read' : `Not read: ${unwatched.join(', ')}`}. What comes
          there is confirmed by hand.
        </p>
      )}
    </>
  );
}

function State({ state }: { state: NetworkState }) {
  const now = useNow();
  const { look, chip } = stateWords(state, now);
  return (
    <li className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-4 border-t border-line px-5 py-3 tablet:px-6">
      <CoinMark coin={state.network} size={28} />
      <div className="min-w-0 text-control/5 tabular-nums">
        <p className="flex items-center justify-between gap-3">
          <b className="font-semibold">{networks[state.network].name}</b>
          <Chip look={look}>{chip}</Chip>
        </p>
        {stateLines(state, now).map((line) => (
          <Small key={line} className="wrap-anywhere">
            {line}
          </Small>
        ))}
      </div>
    </li>
  );
}
