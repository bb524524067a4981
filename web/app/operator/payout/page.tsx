import { networks } from '@tallystick/contract/networks';
import { chains } from '@tallystick/contract/operator/networks';
import { onesheet, type PayoutSheet } from '@tallystick/contract/operator/payouts';
import { useParams } from 'react-router';
import { ApiRefusal } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { SkeletonRows } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { priceText } from '../../domain/prices/price-text.ts';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { BackLink } from '../../ui/actions/links.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, Failed } from '../../ui/lists/empty.tsx';
import { Figures } from '../facts/figures.tsx';
import { sheetCoins, sheetWords, withdrawalsText } from '../facts/sheets.ts';
import { SheetItems } from './items.tsx';
import { SheetStanding } from './standing.tsx';
import { SheetTransaction } from './transaction.tsx';

export const meta = () =>
  pageMeta('Payout sheet', 'One payout sheet: who is paid, how much, and how far it is.');

export default function Payout() {
  const { id = '' } = useParams();
  return <SheetScreen key={id} id={id} />;
}

function SheetScreen({ id }: { id: string }) {
  const query = useLive(onesheet, { params: { id } }, 'Error fetching a payout sheet:');
  const { data, error, isError, refetch, dataUpdatedAt } = query;
  if (!data && error instanceof ApiRefusal && error.status < 500) return <Unknown />;
  return (
    <>
      <div>
        <BackLink to="/operator/payouts">Payouts</BackLink>
        <PageHead
          title={data ? `Sheet ${data.sheet.number}` : 'Payout sheet'}
          note={data ? whatText(data.sheet) : ''}
        >
          {data && <StateChip sheet={data.sheet} />}
        </PageHead>
      </div>
      {data && isError && (
        <Failed onRetry={refetch}>
          {`This is how it was at ${timeOf(new Date(dataUpdatedAt).toISOString())}. The newest could not be fetched.`}
        </Failed>
      )}
      {!data && isError && (
        <Failed onRetry={refetch}>This sheet could not be fetched. Nothing has changed.</Failed>
      )}
      {!data && !isError && (
        <Card aria-busy="true" aria-label="Loading">
          <SkeletonRows height="h-18" />
        </Card>
      )}
      {data && <Sheet sheet={data.sheet} />}
    </>
  );
}

function Unknown() {
  return (
    <>
      <PageHead title="Payout sheet" />
      <Card aria-label="Not found">
        <Empty
          title="No sheet has this id"
          text="It may have been copied in part. All sheets stand under Payouts."
        >
          <ButtonLink to="/operator/payouts">All payouts</ButtonLink>
        </Empty>
      </Card>
    </>
  );
}

const whatText = ({ network, items, made }: PayoutSheet) =>
  `${networks[network].name}, ${withdrawalsText(items.length)}. Made by ${made.name}, ${dayOf(made.at)}, ${timeOf(made.at)}.`;

function StateChip({ sheet }: { sheet: PayoutSheet }) {
  const { look, chip } = sheetWords(sheet);
  return (
    <span role="status">
      <Chip look={look}>{chip}</Chip>
    </span>
  );
}

function Sheet({ sheet }: { sheet: PayoutSheet }) {
  const { data } = useLive(chains, {}, 'Error fetching the networks:');
  const isWatched = data?.networks.find(({ network }) => network === sheet.network)?.watched ?? true;
  return (
    <>
      <SheetStanding sheet={sheet} isWatched={isWatched} />
      {sheet.hindered && (
        <QuietNotice>{`Nothing is given out to pay it with now. ${sheet.hindered}`}</QuietNotice>
      )}
      <Figures label="What is owed" figures={figuresOf(sheet)} />
      {sheet.transaction && <SheetTransaction sheet={sheet} transaction={sheet.transaction} />}
      <SheetItems sheet={sheet} />
    </>
  );
}

function figuresOf(sheet: PayoutSheet) {
  const { amount, price, pricesource, priceat, network, transaction } = sheet;
  const { ticker } = networks[network].coin;
  const sample = pricesource === 'sample' ? ', a sample' : '';
  return [
    { name: 'Owed', value: usd(amount) },
    { name: 'In coins', value: <span className="wrap-anywhere">{sheetCoins(sheet)}</span> },
    {
      name: `Price of 1 ${ticker}, ${timeOf(priceat)}${sample}`,
      value: priceText(price),
    },
    transaction
      ? { name: `Fee, ${transaction.satpervbyte} sat/vB`, value: `${transaction.fee} ${ticker}` }
      : { name: 'Fee', value: 'Chosen in the wallet' },
  ];
}
