import { networks } from '@tallystick/contract/networks';
import { type ColdAddress, removecold } from '@tallystick/contract/operator/books';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { whenOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { SigningState } from '../facts/signing-state.tsx';
import { useAct } from '../forms/act.ts';
import { SignAddress } from '../forms/sign-address.tsx';
import { ListCold } from './cold-form.tsx';
import { coinsText, countedText } from './sources.ts';
import type { Books } from './sums.ts';

/** Our own addresses that no deposit comes to. Without a node nobody could say what lies there. */
export function ColdAddresses({ held }: { held: Books['held'] }) {
  const [isListing, setListing] = useState(false);
  if (held.networks.length === 0) return null;
  const isWaiting = ({ network, address }: ColdAddress) =>
    held.coldchanges.some((change) => change.network === network && change.address === address);
  return (
    <Card aria-label="Cold addresses" className="tabular-nums">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3.5 px-5 py-5 tablet:px-7 tablet:py-6">
        <div className="min-w-0">
          <h2 className="text-body tracking-[-0.01em]">Cold addresses</h2>
          <p className="text-control text-2">
            Our own, where no deposit comes to. Two operators list each one, and two leave it out again.
          </p>
        </div>
        <Button size="small" onClick={() => setListing(true)} className="max-tablet:w-full">
          <Plus className="size-4" aria-hidden="true" />
          List an address
        </Button>
      </div>
      {held.cold.length > 0 ? (
        <ul>
          {held.cold.map((cold) => (
            <Listed key={cold._id} cold={cold} isWaiting={isWaiting(cold)} />
          ))}
        </ul>
      ) : (
        <p className="border-t border-line px-5 py-4 text-control text-2 tablet:px-7">
          None is listed. What lies elsewhere than at deposit addresses is not counted as held.
        </p>
      )}
      {isListing && (
        <ListCold networks={held.networks.map(({ network }) => network)} onClose={() => setListing(false)} />
      )}
    </Card>
  );
}

function Listed({ cold, isWaiting }: { cold: ColdAddress; isWaiting: boolean }) {
  const [isSigning, setSigning] = useState(false);
  const { busy, act } = useAct(removecold);
  const { network, label, address, coins, amount, listedat, listedby, agreedby } = cold;
  const what = `the address of ${label}`;
  const remove = () =>
    act({ params: { id: cold._id } }, { done: `${label} counts until another operator agrees` });
  return (
    <li className="grid grid-cols-[28px_minmax(0,1fr)] items-center gap-x-4 gap-y-3 border-t border-line px-5 py-3.5 tablet:grid-cols-[28px_minmax(0,1fr)_auto_auto] tablet:px-7">
      <CoinMark coin={network} size={28} />
      <div className="min-w-0 text-control/5">
        <b className="font-semibold wrap-anywhere">{label}</b>
        <span className="text-2"> {networks[network].name}</span>
        <p className="text-label">
          <Copyable what={what} shown={shortAddress(address)}>
            {address}
          </Copyable>
        </p>
        <p
          className="text-caption text-3"
          title={`Listed ${whenOf(listedat)} by ${listedby} and ${agreedby}`}
        >
          {countedText(cold)} Listed by {listedby} and {agreedby}.
        </p>
        <SigningState signing={cold.signing} of={what} onOpen={() => setSigning(true)} />
        {isSigning && <SignAddress of={{ ...cold, what }} onClose={() => setSigning(false)} />}
      </div>
      <div className="col-start-2 flex items-center justify-between gap-4 tablet:contents">
        <div className="tablet:text-right">
          <b className="block text-control font-semibold">
            {amount === null ? 'Not known yet' : usd(amount)}
          </b>
          {coins !== null && <span className="text-caption text-3">{coinsText({ network, coins })}</span>}
        </div>
        <div className="grid tablet:w-26 tablet:justify-end">
          {isWaiting ? (
            <Chip look="waiting">Waits</Chip>
          ) : (
            <Button size="small" busy={busy} onClick={remove}>
              Remove<span className="sr-only"> {label}</span>
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
