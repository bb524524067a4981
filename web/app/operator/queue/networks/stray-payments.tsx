import type { CallAnswer } from '@tallystick/contract/call';
import { type Network, networks } from '@tallystick/contract/networks';
import {
  type chains,
  endsurplus,
  type StrayPayment,
  type Surplus,
} from '@tallystick/contract/operator/networks';
import { type ReactNode, useState } from 'react';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { CoinMark } from '../../../domain/prices/coin-mark.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { TextLink } from '../../../ui/actions/links.tsx';
import { Small } from '../../../ui/lists/table.tsx';
import { OnExplorer } from '../../facts/on-explorer.tsx';
import { ShortAddress } from '../../facts/short-address.tsx';
import { ReasonModal } from '../../forms/form-modal.tsx';
import { Section } from '../queue-row.tsx';
import { amountText, strayAdvice, strayTitles, surplusAdvice } from './wording.ts';

type Strays = Pick<CallAnswer<typeof chains>, 'payments' | 'counts' | 'surpluses' | 'surplusescount'>;

/** What came to our addresses and finds no way by itself. */
export function StrayPayments({ strays }: { strays: Strays }) {
  const { payments, counts, surpluses, surplusescount } = strays;
  const [ending, setEnding] = useState<Surplus | null>(null);
  const shown = payments.length + surpluses.length;
  const total = Object.values(counts).reduce((sum, count) => sum + count, surplusescount);
  if (shown === 0 && !ending) return null;
  return (
    <Section title="Payments that need somebody">
      <ul>
        {surpluses.map((surplus) => (
          <PassedOn key={surplus._id} surplus={surplus} onEnd={() => setEnding(surplus)} />
        ))}
        {payments.map((payment) => (
          <Stray key={payment._id} payment={payment} />
        ))}
      </ul>
      {total > shown && (
        <p className="border-t border-line px-5 py-3.5 text-label text-2 tablet:px-6">
          {shown} of {total.toLocaleString('en-US')} are shown.
        </p>
      )}
      {ending && <EndSurplus surplus={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

const rowClass =
  'grid gap-x-6 gap-y-3 border-t border-line px-5 py-4 tablet:grid-cols-[28px_minmax(0,1.1fr)_minmax(0,1fr)] tablet:px-6';

interface StrayRowProps {
  network: Network;
  title: string;
  /** How much it is. */
  amount: string;
  investor: StrayPayment['investor'];
  transactionid?: string | null;
  advice: string;
  /** Where it came to, and when. */
  children: ReactNode;
}

function StrayRow(props: StrayRowProps) {
  const { network, title, amount, investor, transactionid, advice, children } = props;
  return (
    <li className={rowClass}>
      <span className="max-tablet:hidden">
        <CoinMark coin={network} size={28} />
      </span>
      <div className="min-w-0 text-control/5 tabular-nums">
        <b className="font-semibold">{title}</b>
        <p className="mt-0.5 text-2">
          {amount}
          {investor && (
            <>
              {', '}
              <TextLink to={`/operator/investors/${investor._id}`}>{investor.fullname}</TextLink>
            </>
          )}
          {transactionid && (
            <span className="font-mono text-[0.93em] whitespace-nowrap"> {transactionid}</span>
          )}
        </p>
        <Small className="mt-1">{advice}</Small>
      </div>
      <div className="grid min-w-0 content-start gap-2">{children}</div>
    </li>
  );
}

function Stray({ payment }: { payment: StrayPayment }) {
  const { network, why, address, tag, path, seenat } = payment;
  return (
    <StrayRow {...payment} title={strayTitles[why]} amount={amountText(payment)} advice={strayAdvice[why]}>
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
    </StrayRow>
  );
}

/** No transaction names it, so there is only where it is, and between which blocks it came. */
function PassedOn({ surplus, onEnd }: { surplus: Surplus; onEnd: () => void }) {
  const { network, coins, address, fromheight, toheight, foundat, investor } = surplus;
  return (
    <StrayRow
      network={network}
      investor={investor}
      title="Came through a contract"
      amount={amountText({ network, coins, worth: null })}
      advice={surplusAdvice}
    >
      <div className="text-caption text-3">
        <p className="flex flex-wrap items-center gap-x-2">
          At <ShortAddress address={address} />
        </p>
        <p>
          On {networks[network].name}, between blocks {fromheight.toLocaleString('en-US')} and{' '}
          {toheight.toLocaleString('en-US')}, found {dayOf(foundat)}, {timeOf(foundat)}
        </p>
      </div>
      <Button size="small" className="justify-self-start" onClick={onEnd}>
        Say what it was<span className="sr-only"> with {amountText({ network, coins, worth: null })}</span>
      </Button>
    </StrayRow>
  );
}

function EndSurplus({ surplus, onClose }: { surplus: Surplus; onClose: () => void }) {
  const { _id: id, network, coins } = surplus;
  return (
    <ReasonModal
      title="Say what it was"
      call={endsurplus}
      inputOf={(note) => ({ params: { id }, body: { note } })}
      done="It is noted, and off the list"
      onClose={onClose}
    >
      {`${amountText({ network, coins, worth: null })} came in no transaction that names the address. If it is a deposit, confirm it by hand first, which takes two operators; then say here what it was.`}
    </ReasonModal>
  );
}
