import type { InvestorRow } from '@tallystick/contract/operator/investors';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { dayOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { Chip } from '../../ui/facts/chip.tsx';
import { becomesEdge, Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { ConsoleTable } from '../lists/console-table.tsx';

const columns: readonly Column[] = [
  { name: 'Investor', className: 'w-[30%]' },
  { name: 'Since', gives: 'tight' },
  { name: 'State' },
  { name: 'Available', isNumber: true, className: becomesEdge.last },
  { name: 'Invested', isNumber: true, gives: 'narrow' },
  { name: 'Being withdrawn', isNumber: true, gives: 'narrow' },
];

const pathTo = ({ _id }: InvestorRow) => `/operator/investors/${_id}`;

export function InvestorTable({ investors }: { investors: readonly InvestorRow[] | undefined }) {
  return (
    <ConsoleTable caption="Investors, newest first" columns={columns}>
      {investors?.map((investor) => (
        <Row key={investor._id}>
          <Cell isHead className="py-2">
            <Link to={pathTo(investor)} className="font-semibold wrap-anywhere hover:underline">
              {investor.fullname}
            </Link>
            <Small className="wrap-anywhere">{investor.email}</Small>
            <Small className={takesOver.tight}>Since {dayOf(investor.since)}</Small>
          </Cell>
          <Cell gives="tight" className="whitespace-nowrap">
            {dayOf(investor.since)}
          </Cell>
          <Cell>
            <States investor={investor} />
          </Cell>
          <Cell isNumber className={becomesEdge.last}>
            {usd(investor.available)}
            <Small className={takesOver.narrow}>{usd(investor.invested)} invested</Small>
            <Small className={takesOver.narrow}>{usd(investor.withdrawing)} being withdrawn</Small>
          </Cell>
          <Cell isNumber gives="narrow">
            {usd(investor.invested)}
          </Cell>
          <Cell isNumber gives="narrow">
            {usd(investor.withdrawing)}
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

/** The phone's rows lead to the investor as a whole. */
export function InvestorRows({ investors }: { investors: readonly InvestorRow[] }) {
  return (
    <ul>
      {investors.map((investor) => (
        <li key={investor._id} className="border-line not-first:border-t">
          <Link to={pathTo(investor)} className="flex items-center gap-3 px-5 py-3.5 active:bg-sunken">
            <span className="grid min-w-0 flex-1 gap-1.5">
              <span className="flex items-baseline justify-between gap-3 text-control/5">
                <b className="min-w-0 font-semibold wrap-anywhere">{investor.fullname}</b>
                <b className="font-semibold whitespace-nowrap tabular-nums">
                  <span className="sr-only">Available </span>
                  {usd(investor.available)}
                </b>
              </span>
              <Small className="wrap-anywhere">
                {investor.email}, since {dayOf(investor.since)}
              </Small>
              <Small className="tabular-nums">
                {usd(investor.invested)} invested, {usd(investor.withdrawing)} being withdrawn
              </Small>
              {(investor.frozen || !investor.verified) && <States investor={investor} />}
            </span>
            <ChevronRight className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function States({ investor: { frozen, verified } }: { investor: InvestorRow }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {frozen && <Chip look="refused">Withdrawals frozen</Chip>}
      {verified ? !frozen && <Chip look="done">Verified</Chip> : <Chip look="waiting">Not verified</Chip>}
    </span>
  );
}
