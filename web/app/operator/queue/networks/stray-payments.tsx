import { networks } from '@tallystick/contract/networks';
import type { StrayPayment } from '@tallystick/contract/operator/networks';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { CoinMark } from '../../../domain/prices/coin-mark.tsx';
import { TextLink } from '../../../ui/actions/links.tsx';
import { Small } from '../../../ui/lists/table.tsx';
import { OnExplorer } from '../on-explorer.tsx';
import { Section, ShortAddress } from '../queue-row.tsx';
import { amountText, strayAdvice, strayTitles } from './wording.ts';

interface StrayPaymentsProps {
  payments: readonly StrayPayment[];
  /** How many there are of each kind; only the newest are shown. */
  counts: Record<StrayPayment['why'], number>;
}

/** What came to our addresses and finds no way by itself. */
export function StrayPayments({ payments, counts }: StrayPaymentsProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <Section title="Payments that need somebody">
      <ul>
        {payments.map((payment) => (
          <Stray key={payment._id} payment={payment} />
        ))}
      </ul>
      {total > payments.length && (
        <p className="border-t border-line px-5 py-3.5 text-label text-2 tablet:px-6">
          The newest of {total.toLocaleString('en-US')} are shown.
        </p>
      )}
    </Section>
  );
}

function Stray({ payment }: { payment: StrayPayment }) {
  const { network, why, address, tag, path, investor, transactionid, seenat } = payment;
  return (
    <li className="grid gap-x-6 gap-y-3 border-t border-line px-5 py-4 tablet:grid-cols-[28px_minmax(0,1.1fr)_minmax(0,1fr)] tablet:px-6">
      <span className="max-tablet:hidden">
        <CoinMark coin={network} size={28} />
      </span>
      <div className="min-w-0 text-control/5 tabular-nums">
        <b className="font-semibold">{strayTitles[why]}</b>
        <p className="mt-0.5 text-2">
          {amountText(payment)}
          {investor && (
            <>
              {', '}
              <TextLink to={`/operator/investors/${investor._id}`}>{investor.fullname}</TextLink>
            </>
          )}
          {transactionid && <span className="font-mono text-[0.93em]"> {transactionid}</span>}
        </p>
        <Small className="mt-1">{strayAdvice[why]}</Small>
      </div>
      <div className="grid min-w-0 content-start gap-2">
        <OnExplorer {...payment} />
        <div className="text-caption text-3">
          <p className="flex flex-wrap items-center gap-x-2">
            To <ShortAddress address={address} />
            {path && <span className="font-mono">{path}</span>}
            {tag !== null && <span>tag {tag}</span>}
          </p>
          <p>
            On {networks[network].name}, seen {dayOf(seenat)}, {timeOf(seenat)}
          </p>
        </div>
      </div>
    </li>
  );
}
