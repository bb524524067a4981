import { formatUsd } from '@tallystick/contract/money';
import { provebooks } from '@tallystick/contract/operator/books';
import { type Statement, statements as statementsCall } from '@tallystick/contract/proof';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api.ts';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { grouped } from '../../domain/money/amount.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Cell, Row, Small } from '../../ui/lists/table.tsx';
import { coverageText } from '../facts/wording.ts';
import { useAct } from '../forms/act.ts';
import { ConsoleTable, Facts } from '../lists/console-table.tsx';
import { AuditorExport } from './auditor-export.tsx';

/** As many as a week has days: the public page has all of them. */
const shown = 7;
const refreshMs = 5_000;

/** Anybody may ask for them, so it takes no session: nor is one kept alive by asking. */
function usePublic() {
  const asked = { query: { limit: shown } };
  return useQuery({
    queryKey: [statementsCall.path, asked],
    queryFn: () => callApi(statementsCall, asked, { background: true }),
    refetchInterval: refreshMs,
    retry: false,
  });
}

/** What everybody can check: each statement is an entry of the public log. */
export function Statements() {
  const { data, isError, refetch } = usePublic();
  return (
    <Card aria-label="Statements of the books" className="tabular-nums">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3.5 px-5 py-5 tablet:px-7 tablet:py-6">
        <div className="min-w-0">
          <h2 className="text-body tracking-[-0.01em]">Statements of the books</h2>
          <p className="text-control text-2">
            What is owed, added up so that every investor can find their own part. Made daily at 00:05 UTC.
          </p>
        </div>
        <div className="flex flex-wrap gap-2.5 max-tablet:w-full">
          {data && data.statements.length > 0 && <AuditorExport statements={data.statements} />}
          <ProveNow />
        </div>
      </div>
      {isError && (
        <div className="px-5 pb-5 tablet:px-7">
          <Failed onRetry={refetch}>
            {data
              ? 'The newest statements could not be fetched. There may be more than these.'
              : 'The statements could not be fetched. Nothing about them has changed.'}
          </Failed>
        </div>
      )}
      {(data || !isError) && <Listed statements={data?.statements} />}
    </Card>
  );
}

function ProveNow() {
  const { busy, act } = useAct(provebooks);
  return (
    <Button
      size="small"
      aria-busy={busy}
      onClick={() => act({}, { done: ({ number }) => `Statement ${number} is made` })}
      className="aria-busy:cursor-progress max-tablet:w-full"
    >
      {busy && <Spinner />}
      {busy ? 'Making a statement' : 'Make one now'}
    </Button>
  );
}

const columns = [
  { name: 'Statement' },
  { name: 'As of' },
  { name: 'Owed', isNumber: true },
  { name: 'Held', isNumber: true },
  { name: 'Coverage', isNumber: true },
];

function Listed({ statements }: { statements: Statement[] | undefined }) {
  if (statements?.length === 0) {
    return (
      <p className="border-t border-line px-5 py-4 text-control text-2 tablet:px-7">
        None was made yet. Until one is, no investor can check that their money is in the total.
      </p>
    );
  }
  const rows = statements?.map(wordsOf);
  return (
    <>
      <div className="border-t border-line max-tablet:hidden">
        <ConsoleTable caption="Statements of the books, newest first" columns={columns}>
          {rows?.map(({ number, day, time, owed, held, coverage, place }) => (
            <Row key={number}>
              <Cell isHead>
                {number}
                <Small>{`Place in the log: ${place}`}</Small>
              </Cell>
              <Cell>
                {day}
                <Small>{time}</Small>
              </Cell>
              <Cell isNumber>{owed}</Cell>
              <Cell isNumber>{held}</Cell>
              <Cell isNumber>{coverage}</Cell>
            </Row>
          ))}
        </ConsoleTable>
      </div>
      {!rows && <Skeleton className="mx-5 mb-5 h-32 tablet:hidden" />}
      <ul className="tablet:hidden">
        {rows?.map(({ number, day, time, owed, held, coverage, place }) => (
          <li key={number} className="border-t border-line px-5 py-4">
            <h3 className="mb-2 text-control font-semibold">Statement {number}</h3>
            <Facts
              facts={[
                { name: 'As of', value: `${day}, ${time}`, isWide: true },
                { name: 'Owed', value: owed },
                { name: 'Held', value: held },
                { name: 'Coverage', value: coverage },
                { name: 'Place in the log', value: place },
              ]}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function wordsOf({ number, time, owed, held, place }: Statement) {
  const owedCents = owed.reduce((sum, cents) => sum + BigInt(cents), 0n);
  const heldCents = held === null ? null : BigInt(held);
  return {
    number: grouped(String(number)),
    day: dayOf(time),
    time: timeOf(time),
    owed: formatUsd(owedCents),
    held: heldCents === null ? 'Not known' : formatUsd(heldCents),
    coverage: heldCents === null ? 'Not known' : (coverageText(heldCents, owedCents) ?? 'Nothing owed'),
    place: place === null ? 'Not yet' : grouped(String(place + 1)),
  };
}
