import { networks } from '@tallystick/contract/networks';
import type { UnknownPayout } from '@tallystick/contract/operator/payouts';
import { TriangleAlert } from 'lucide-react';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { sheetCoins } from '../facts/sheets.ts';
import { ShortAddress } from '../facts/short-address.tsx';

/** Nothing is worse than this: it stands above everything else, and stays until the chain says otherwise. */
export function UnknownPayouts({ payouts }: { payouts: readonly UnknownPayout[] }) {
  const kinds = Map.groupBy(payouts, ({ why }) => why);
  return [...kinds].map(([why, ofKind]) => <OddPayouts key={why} words={kindWords[why]} payouts={ofKind} />);
}

const kindWords: Record<UnknownPayout['why'], Words> = {
  unknown: {
    title: 'Coins of ours went where no sheet sent them',
    text: 'If none of you sent it, somebody else has the key: move what is left, and freeze withdrawals.',
  },
  vanished: {
    title: 'A payment that had paid a withdrawal is gone with its block',
    text: 'The withdrawal stays marked as paid. Send the same transaction again, or see that it gets into a block.',
  },
};

interface Words {
  title: string;
  text: string;
}

function OddPayouts({ words, payouts }: { words: Words; payouts: readonly UnknownPayout[] }) {
  return (
    <Card aria-label={words.title} className="overflow-hidden border-debit!">
      <div role="alert" className="grid grid-cols-[20px_minmax(0,1fr)] gap-2.5 px-5 pt-4 pb-3.5 tablet:px-6">
        <TriangleAlert className="mt-0.5 size-5 text-debit" strokeWidth={1.75} aria-hidden="true" />
        <div>
          <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">{words.title}</h2>
          <p className="mt-0.5 text-label text-2">
            {counted(payouts.length, 'payment')} from our own addresses. {words.text}
          </p>
        </div>
      </div>
      <ul>
        {payouts.map((payout) => (
          <Unknown key={payout._id} payout={payout} />
        ))}
      </ul>
    </Card>
  );
}

function Unknown({ payout }: { payout: UnknownPayout }) {
  const { network, address, tag, chaintransactionid, chainoutput, confirmations, seenat } = payout;
  return (
    <li className="grid gap-x-6 gap-y-2 border-t border-line px-5 py-3.5 text-control/5 tabular-nums tablet:grid-cols-[28px_minmax(0,1fr)_minmax(0,1.4fr)] tablet:px-6">
      <span className="max-tablet:hidden">
        <CoinMark coin={network} size={28} />
      </span>
      <div className="min-w-0">
        <b className="font-semibold wrap-anywhere">{sheetCoins(payout)}</b>
        {payout.transactionid && <Small className="font-mono">{payout.transactionid}</Small>}
        <Small>
          On {networks[network].name}, seen {dayOf(seenat)}, {timeOf(seenat)},{' '}
          {counted(confirmations, 'confirmation')}
        </Small>
      </div>
      <div className="min-w-0 text-label">
        <p className="flex flex-wrap items-center gap-x-2">
          To <ShortAddress address={address} />
          {tag !== null && <span>tag {tag}</span>}
        </p>
        <Copyable what="the transaction ID">{chaintransactionid}</Copyable>
        {chainoutput !== null && <span className="text-2"> Output {chainoutput}</span>}
      </div>
    </li>
  );
}
