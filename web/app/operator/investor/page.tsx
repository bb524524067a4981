import {
  freezeinvestor,
  investor as investorCall,
  record as recordCall,
  unfreezeinvestor,
} from '@tallystick/contract/operator/investors';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Scale, Snowflake } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ApiRefusal, callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button, ButtonLink } from '../../ui/actions/button.tsx';
import { BackLink, TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { leaveFocus } from '../../ui/forms/first-focus.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Figures } from '../facts/figures.tsx';
import { FindingLine } from '../facts/finding-line.tsx';
import { ReasonModal } from '../forms/form-modal.tsx';
import { useWho } from '../frame/who.ts';
import { Addresses } from './addresses.tsx';
import { Correction } from './correction.tsx';
import { RemovalNotice, RemoveFactors } from './factor-removal.tsx';
import { MaturityChoices } from './maturity-choices.tsx';
import { Statement } from './statement.tsx';
import { Told } from './told.tsx';
import { WithdrawalAddresses } from './withdrawal-addresses.tsx';
import {
  closedWords,
  type InvestorAnswer,
  nameOf,
  recordWords,
  unfreezeWords,
  unfrozenText,
  whoSentence,
} from './wording.ts';

/** What stands above the screen. */
type Opened = 'freeze' | 'correction' | 'factors';

export const meta = () => pageMeta('Investor', 'One investor: balances, record and statement.');

export default function Investor() {
  const { id = '' } = useParams();
  return <InvestorScreen key={id} id={id} />;
}

function InvestorScreen({ id }: { id: string }) {
  const { data, error, isError, refetch } = useLive(
    investorCall,
    { params: { id } },
    'Error fetching an investor:',
  );
  const [open, setOpen] = useState<Opened | null>(null);
  const close = () => setOpen(null);
  const isClosed = Boolean(data?.investor.closedat);
  if (!data && error instanceof ApiRefusal && error.status < 500) return <Unknown />;
  return (
    <>
      <div>
        <BackLink to="/operator/investors">Investors</BackLink>
        <PageHead title={data ? nameOf(data.investor) : 'Investor'} note={data ? whoSentence(data) : ''}>
          {data && (data.frozen || !data.investor.closedat) && <Acts data={data} onOpen={setOpen} />}
        </PageHead>
      </div>
      {isError && !data && (
        <Failed onRetry={refetch}>This investor could not be fetched. Nothing has changed.</Failed>
      )}
      {data && <Notices data={data} />}
      {(data || !isError) && (
        <>
          <Sums data={data} />
          <RecordLine id={id} />
        </>
      )}
      <Statement id={id} />
      <MaturityChoices id={id} />
      <WithdrawalAddresses id={id} protection={isClosed ? undefined : data?.addressprotection} />
      <Addresses id={id} />
      {data && !isClosed && <Told data={data} />}
      {data && open === 'freeze' && <Freeze id={id} data={data} onClose={close} />}
      {data && open === 'factors' && <RemoveFactors id={id} name={data.investor.fullname} onClose={close} />}
      {data && open === 'correction' && (
        <Correction
          id={id}
          name={data.investor.fullname}
          availableCents={centsOf(data.investor.available)}
          onClose={close}
        />
      )}
    </>
  );
}

function Unknown() {
  return (
    <>
      <PageHead title="Investor" />
      <Card aria-label="Not found">
        <Empty title="No investor has this id" text="It may have been copied in part. Search for it instead.">
          <ButtonLink to="/operator/investors">All investors</ButtonLink>
        </Empty>
      </Card>
    </>
  );
}

function Acts({ data, onOpen }: { data: InvestorAnswer; onOpen: (which: Opened) => void }) {
  const { operator } = useWho();
  const words = data.frozen && unfreezeWords(data.frozen, data.investor.fullname, operator._id);
  const hasFactor = data.factors.authenticator || data.factors.passkeys > 0;
  return (
    <>
      <Button className="max-tablet:flex-1" onClick={() => onOpen('freeze')} disabled={words?.isOff}>
        <Snowflake className="size-4" aria-hidden="true" />
        {data.frozen ? 'Unfreeze withdrawals' : 'Freeze withdrawals'}
      </Button>
      <Button className="max-tablet:flex-1" onClick={() => onOpen('correction')}>
        <Scale className="size-4" aria-hidden="true" />
        Correction
      </Button>
      {hasFactor && data.factorremoval === null && (
        <Button ref={leaveFocus} className="max-tablet:flex-1" onClick={() => onOpen('factors')}>
          <KeyRound className="size-4" aria-hidden="true" />
          Remove second factors
        </Button>
      )}
    </>
  );
}

function Notices({ data }: { data: InvestorAnswer }) {
  const { investor, frozen, waitingcorrections, factorremoval } = data;
  const { operator } = useWho();
  const closed = closedWords(investor);
  const needsTwo = frozen && unfreezeWords(frozen, investor.fullname, operator._id).note;
  return (
    <>
      {closed && (
        <QuietNotice>
          <p>
            <b className="font-semibold text-1">{closed.title}</b> {closed.text}
          </p>
        </QuietNotice>
      )}
      {frozen && (
        <QuietNotice>
          <p>
            <b className="font-semibold text-1">Withdrawals are frozen.</b> {frozen.reason}
          </p>
          {needsTwo && <p>{needsTwo}</p>}
          <p className="text-3">
            By {frozen.by}, {dayOf(frozen.at)}, {timeOf(frozen.at)}
          </p>
        </QuietNotice>
      )}
      {factorremoval && <RemovalNotice removal={factorremoval} name={investor.fullname} />}
      {waitingcorrections > 0 && (
        <QuietNotice>
          {counted(waitingcorrections, 'correction')} {waitingcorrections === 1 ? 'waits' : 'wait'} for a
          second operator in the <TextLink to="/operator">queue</TextLink>.
        </QuietNotice>
      )}
    </>
  );
}

function Sums({ data }: { data: InvestorAnswer | undefined }) {
  return (
    <Figures
      label="Balances"
      figures={[
        { name: 'Available', value: data && usd(data.investor.available) },
        { name: 'Invested', value: data && usd(data.investor.invested) },
        { name: 'Being withdrawn', value: data && usd(data.investor.withdrawing) },
        { name: 'Everything together', value: data && usd(data.together) },
      ]}
    />
  );
}

/** Recomputed when the screen opens and when asked again: on a long record that is work for the server. */
function RecordLine({ id }: { id: string }) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [recordCall.path, id],
    queryFn: () => callApi(recordCall, { params: { id } }, { inTurn: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (isError && !data) return <Failed onRetry={refetch}>The record could not be checked.</Failed>;
  if (!data) {
    return (
      <Card aria-label="Record" aria-busy="true" className="px-5 py-6 tablet:px-7">
        <Skeleton className="h-4 w-80 max-w-full" />
      </Card>
    );
  }
  const { state, title, text } = recordWords(data);
  return (
    <FindingLine label="Record" state={state} title={title} text={`${text} Checked ${timeOf(data.at)}.`}>
      <Button size="small" onClick={() => refetch()} aria-busy={isFetching}>
        Check again
      </Button>
    </FindingLine>
  );
}

interface FreezeProps {
  id: string;
  data: InvestorAnswer;
  onClose: () => void;
}

/** Stops an investor's withdrawals, or lets them go on. */
function Freeze({ id, data: { investor, frozen }, onClose }: FreezeProps) {
  const { operator } = useWho();
  // Which of both it is was decided when it was opened: the other operator may be quicker.
  const [was] = useState(frozen);
  const { fullname: name } = investor;
  const inputOf = (reason: string) => ({ params: { id }, body: { reason } });
  if (!was) {
    return (
      <ReasonModal
        title="Freeze withdrawals"
        call={freezeinvestor}
        inputOf={inputOf}
        done={`Withdrawals of ${name} are frozen`}
        onClose={onClose}
      >
        {`Until it is lifted, no withdrawal of ${name} is approved or paid. The money stays in the account.`}
      </ReasonModal>
    );
  }
  return (
    <ReasonModal
      title="Unfreeze withdrawals"
      call={unfreezeinvestor}
      inputOf={inputOf}
      done={({ frozen: still }) => unfrozenText(still, name)}
      onClose={onClose}
    >
      {unfreezeWords(frozen ?? was, name, operator._id).explains}
    </ReasonModal>
  );
}
