import { networks } from '@tallystick/contract/networks';
import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { addresses as addressesCall, type GivenAddress } from '@tallystick/contract/operator/investors';
import { dayOf, timeOf, whenOf } from '../../domain/dates.ts';
import { pageOf, useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { ConsoleTable, Facts } from '../lists/console-table.tsx';

const pageName = 'addresses';

/** Where this investor sends, and sent: what was given out stays theirs for good. */
export function Addresses({ id }: { id: string }) {
  const { params } = useListAddress();
  const page = pageOf(params.get(pageName));
  const query = useLive(
    addressesCall,
    { params: { id }, query: { page: String(page) } },
    'Error fetching the addresses of an investor:',
  );
  return (
    <Card aria-label="Addresses" className="overflow-hidden">
      <h2 className="border-b border-line px-5 py-4 text-body tracking-[-0.01em] tablet:px-6">
        Addresses and tags of their own
      </h2>
      <LiveList
        query={query}
        rows={query.data?.addresses}
        ifFailed="The addresses could not be fetched. Nothing about them has changed."
        empty={
          <Empty
            title="None yet"
            text="One is given out when this investor funds by a method that has addresses or tags for each."
          />
        }
        skeleton={{ height: 'h-[132px]', count: 1 }}
        phone={(rows) => <AddressBlocks addresses={rows} />}
        wide={(rows) => <AddressTable addresses={rows} />}
      >
        <ListPager
          label="Pages of addresses"
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
  { name: 'Network' },
  { name: 'Path or tag', gives: 'tight' },
  { name: 'Given out' },
  { name: 'Used' },
];

const namesOf = ({ networks: ids }: GivenAddress) => ids.map((id) => networks[id].name).join(', ');
const placeOf = ({ path, tag }: GivenAddress) => path ?? `Tag ${tag}`;

function AddressTable({ addresses }: { addresses: readonly GivenAddress[] | undefined }) {
  return (
    <ConsoleTable caption="Addresses and tags, newest first" columns={columns}>
      {addresses?.map((one) => (
        <Row key={one._id}>
          <Cell isHead className="py-2">
            <Copyable what="the address">{one.address}</Copyable>
            <Small className={`font-mono ${takesOver.tight}`}>{placeOf(one)}</Small>
          </Cell>
          <Cell>{namesOf(one)}</Cell>
          <Cell gives="tight" className="font-mono text-label whitespace-nowrap">
            {placeOf(one)}
          </Cell>
          <Cell className="whitespace-nowrap">
            {dayOf(one.givenat)}
            <Small>{timeOf(one.givenat)}</Small>
          </Cell>
          <Cell className="whitespace-nowrap">
            {one.usedat ? dayOf(one.usedat) : <span className="text-3">Not yet</span>}
            {one.usedat && <Small>{timeOf(one.usedat)}</Small>}
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

function AddressBlocks({ addresses }: { addresses: readonly GivenAddress[] }) {
  return (
    <ul>
      {addresses.map((one) => (
        <li key={one._id} className="border-line px-5 py-4 not-first:border-t">
          <Facts
            facts={[
              { name: 'Address', value: <Copyable what="the address">{one.address}</Copyable>, isWide: true },
              { name: 'Network', value: namesOf(one) },
              {
                name: one.path ? 'Path' : 'Tag',
                value: <span className="font-mono">{one.path ?? one.tag}</span>,
              },
              { name: 'Given out', value: whenOf(one.givenat) },
              { name: 'Used', value: one.usedat ? whenOf(one.usedat) : 'Not yet' },
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
