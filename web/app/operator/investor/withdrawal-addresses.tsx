import { networkNameOf } from '@tallystick/contract/networks';
import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { type WithdrawalAddress, withdrawaladdresses } from '@tallystick/contract/operator/investors';
import { counted, dayOf, timeOf, whenOf } from '../../domain/dates.ts';
import { pageOf, useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { ConsoleTable, Facts } from '../lists/console-table.tsx';
import { type InvestorAnswer, protectionWords } from './wording.ts';

const pageName = 'destinations';

interface WithdrawalAddressesProps {
  id: string;
  /** Not known yet. */
  protection: InvestorAnswer['addressprotection'] | undefined;
}

/** Where money goes, or may go: how old an address is, whose word it is, when it was last paid to. */
export function WithdrawalAddresses({ id, protection }: WithdrawalAddressesProps) {
  const { params } = useListAddress();
  const page = pageOf(params.get(pageName));
  const query = useLive(
    withdrawaladdresses,
    { params: { id }, query: { page: String(page) } },
    'Error fetching the withdrawal addresses of an investor:',
  );
  return (
    <Card aria-label="Withdrawal addresses" className="overflow-hidden">
      <div className="border-b border-line px-5 py-4 tablet:px-6">
        <h2 className="text-body tracking-[-0.01em]">Withdrawal addresses</h2>
        {protection !== undefined && (
          <p className="mt-0.5 text-label text-2">{protectionWords(protection)}</p>
        )}
      </div>
      <LiveList
        query={query}
        rows={query.data?.addresses}
        ifFailed="The withdrawal addresses could not be fetched. Nothing about them has changed."
        empty={
          <Empty title="None yet" text="This investor has saved no address and asked for no withdrawal." />
        }
        skeleton={{ height: 'h-[132px]', count: 1 }}
        phone={(rows) => <DestinationBlocks addresses={rows} />}
        wide={(rows) => <DestinationTable addresses={rows} />}
      >
        <ListPager
          label="Pages of withdrawal addresses"
          name={pageName}
          query={query}
          size={operatorPageSize}
          isForMany
        />
      </LiveList>
    </Card>
  );
}

const columns: readonly Column[] = [
  { name: 'Address' },
  { name: 'Network', gives: 'tight' },
  { name: 'Saved or typed' },
  { name: 'First seen' },
  { name: 'Last paid to' },
];

const keyOf = ({ network, address, tag }: WithdrawalAddress) => `${network} ${address} ${tag}`;
const placeOf = ({ network, tag }: WithdrawalAddress) =>
  tag === null ? networkNameOf(network) : `${networkNameOf(network)}, tag ${tag}`;
const paidText = ({ timespaid }: WithdrawalAddress) => counted(timespaid, 'time');

function useSavedText() {
  const now = useNow();
  return ({ savedas, usablefrom }: WithdrawalAddress) => {
    if (savedas === null) return 'Typed';
    const waits = usablefrom !== null && Date.parse(usablefrom) > now.getTime();
    return waits ? `${savedas}, waits until ${whenOf(usablefrom)}` : savedas;
  };
}

function DestinationTable({ addresses }: { addresses: readonly WithdrawalAddress[] | undefined }) {
  const savedText = useSavedText();
  return (
    <ConsoleTable caption="Withdrawal addresses, the last used first" columns={columns}>
      {addresses?.map((one) => (
        <Row key={keyOf(one)}>
          <Cell isHead className="py-2">
            <Copyable what="the address">{one.address}</Copyable>
            <Small className={takesOver.tight}>{placeOf(one)}</Small>
          </Cell>
          <Cell gives="tight">{placeOf(one)}</Cell>
          <Cell className="wrap-anywhere">
            {savedText(one)}
            {one.savedat && <Small>{`Saved ${dayOf(one.savedat)}`}</Small>}
          </Cell>
          <Cell className="whitespace-nowrap">
            {dayOf(one.firstseenat)}
            <Small>{timeOf(one.firstseenat)}</Small>
          </Cell>
          <Cell className="whitespace-nowrap">
            {one.lastpaidat ? dayOf(one.lastpaidat) : <span className="text-3">Never</span>}
            {one.lastpaidat && <Small>{paidText(one)}</Small>}
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

function DestinationBlocks({ addresses }: { addresses: readonly WithdrawalAddress[] }) {
  const savedText = useSavedText();
  return (
    <ul>
      {addresses.map((one) => (
        <li key={keyOf(one)} className="border-line px-5 py-4 not-first:border-t">
          <Facts
            facts={[
              { name: 'Address', value: <Copyable what="the address">{one.address}</Copyable>, isWide: true },
              { name: 'Network', value: placeOf(one) },
              { name: 'Saved or typed', value: savedText(one) },
              { name: 'First seen', value: whenOf(one.firstseenat) },
              {
                name: 'Last paid to',
                value: one.lastpaidat ? `${dayOf(one.lastpaidat)}, ${paidText(one)}` : 'Never',
              },
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
