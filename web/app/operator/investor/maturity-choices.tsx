import { operatorPageSize } from '@tallystick/contract/operator/fields';
import { type MaturityChoiceRow, maturitychoices } from '@tallystick/contract/operator/investors';
import { dayOf, timeOf, whenOf } from '../../domain/dates.ts';
import { pageOf, useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { Cell, type Column, Row, Small } from '../../ui/lists/table.tsx';
import { ConsoleTable, Facts } from '../lists/console-table.tsx';
import { becameWords, chosenWords, toldWords } from './wording.ts';

const pageName = 'choices';

/** What this investor chose for the end of investments, what they were told, and what came of it. */
export function MaturityChoices({ id }: { id: string }) {
  const { params } = useListAddress();
  const page = pageOf(params.get(pageName));
  const query = useLive(
    maturitychoices,
    { params: { id }, query: { page: String(page) } },
    'Error fetching the choices of an investor:',
  );
  return (
    <Card aria-label="At maturity" className="overflow-hidden">
      <h2 className="border-b border-line px-5 py-4 text-body tracking-[-0.01em] tablet:px-6">
        Chosen for the end of investments
      </h2>
      <LiveList
        query={query}
        rows={query.data?.choices}
        ifFailed="The choices could not be fetched. Nothing about them has changed."
        empty={<Empty title="Nothing chosen" text="What matures is paid to this investor’s wallet." />}
        skeleton={{ height: 'h-[132px]', count: 1 }}
        phone={(rows) => <ChoiceBlocks choices={rows} />}
        wide={(rows) => <ChoiceTable choices={rows} />}
      >
        <ListPager label="Pages of choices" name={pageName} query={query} size={operatorPageSize} isForMany />
      </LiveList>
    </Card>
  );
}

const columns: readonly Column[] = [
  { name: 'Investment' },
  { name: 'Chosen' },
  { name: 'Told' },
  { name: 'Matures' },
  { name: 'What came of it' },
];

const whatText = ({ planname, amount }: MaturityChoiceRow) => `${usd(amount)} in ${planname}`;

function ChoiceTable({ choices }: { choices: readonly MaturityChoiceRow[] | undefined }) {
  return (
    <ConsoleTable caption="Choices, the last first" columns={columns}>
      {choices?.map((one) => (
        <Row key={one._id}>
          <Cell isHead className="py-2">
            <Copyable what="the transaction ID">{one.transactionid}</Copyable>
            <Small>{whatText(one)}</Small>
          </Cell>
          <Cell>
            {chosenWords(one)}
            <Small>{whenOf(one.chosenat)}</Small>
          </Cell>
          <Cell>{toldWords(one)}</Cell>
          <Cell className="whitespace-nowrap">
            {dayOf(one.maturesat)}
            <Small>{timeOf(one.maturesat)}</Small>
          </Cell>
          <Cell>{becameWords(one)}</Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

function ChoiceBlocks({ choices }: { choices: readonly MaturityChoiceRow[] }) {
  return (
    <ul>
      {choices.map((one) => (
        <li key={one._id} className="border-line px-5 py-4 not-first:border-t">
          <Facts
            facts={[
              {
                name: 'Investment',
                value: <Copyable what="the transaction ID">{one.transactionid}</Copyable>,
              },
              { name: 'Amount', value: whatText(one) },
              { name: 'Chosen', value: `${chosenWords(one)}, ${whenOf(one.chosenat)}`, isWide: true },
              { name: 'Told', value: toldWords(one), isWide: true },
              { name: 'Matures', value: whenOf(one.maturesat), isWide: true },
              { name: 'What came of it', value: becameWords(one), isWide: true },
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
