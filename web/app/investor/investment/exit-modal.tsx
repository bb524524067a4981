import { type ExitQuote, exitinvestment, exitquote, type Investment } from '@tallystick/contract/investment';
import { formatUsd } from '@tallystick/contract/money';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiRefusal, callApi, isSessionOver } from '../../api.ts';
import { counted, localTimeOf, longDayOf, timeOf } from '../../domain/dates.ts';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import {
  type CommandFailure,
  isRefused,
  reasonOf,
  useMoneyCommand,
} from '../../domain/money/money-command.ts';
import { logFailure } from '../../log.ts';
import { useSession } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { SignedMoney } from '../../ui/facts/money.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { Mono, Receipt, RecordCode, Success } from '../money/command-modal.tsx';

interface ExitModalProps {
  investment: Investment;
  onClose: () => void;
}

/** First what leaving pays, line by line, then what came of it. */
export function ExitModal({ investment, onClose }: ExitModalProps) {
  const [made, setMade] = useState<Investment | null>(null);
  return (
    <Modal narrow={made !== null} onClose={onClose}>
      {made === null ? (
        <>
          <ModalHead>{`Leave ${investment.planname} early`}</ModalHead>
          <ModalBody>
            <Quote investment={investment} onDone={setMade} />
          </ModalBody>
        </>
      ) : (
        <ExitDone made={made} onClose={onClose} />
      )}
    </Modal>
  );
}

const refreshMs = 5_000;

/** Asked again every few seconds: when a day is over the screen has the new amounts, by the server's clock and not by ours. */
function useQuote(investmentid: string, isLeft: () => boolean) {
  return useQuery({
    queryKey: [exitquote.path, investmentid],
    queryFn: async ({ client, queryKey }) => {
      const background = client.getQueryData(queryKey) !== undefined;
      try {
        const asked = { params: { investmentid } };
        return (await callApi(exitquote, asked, { background, inTurn: true })).quote;
      } catch (error) {
        if (!isSessionOver(error)) logFailure('Error fetching what leaving pays:', error);
        throw error;
      }
    },
    enabled: () => !isLeft(),
    refetchInterval: refreshMs,
    gcTime: 0,
    retry: false,
  });
}

function Quote({ investment, onDone }: { investment: Investment; onDone: (made: Investment) => void }) {
  const isLeft = useRef(false);
  const query = useQuote(investment._id, () => isLeft.current);
  const { data: quote, error, refetch } = query;
  function done(made: Investment) {
    isLeft.current = true;
    onDone(made);
  }
  if (error instanceof ApiRefusal && isRefused(error))
    return <QuietNotice role="alert">{error.message}</QuietNotice>;
  if (quote) return <ExitForm quote={quote} investment={investment} onDone={done} onChanged={refetch} />;
  if (error) return <Failed onRetry={refetch}>What leaving pays could not be fetched.</Failed>;
  return (
    <div aria-busy="true" className="grid gap-4.5">
      <p className="sr-only">Loading</p>
      <Skeleton className="h-[212px]" />
      <Skeleton className="h-11" />
      <Skeleton className="h-[54px]" />
    </div>
  );
}

interface ExitFormProps {
  quote: ExitQuote;
  investment: Investment;
  onDone: (made: Investment) => void;
  onChanged: () => void;
}

function ExitForm({ quote, investment, onDone, onChanged }: ExitFormProps) {
  const userid = useSession()?._id ?? '';
  const { busy, send } = useMoneyCommand(exitinvestment);
  const [reason, setReason] = useState<string | null>(null);
  const [firstPayout] = useState(quote.payout);
  const { payout } = quote;

  function leave() {
    setReason(null);
    const body = { userid, investmentid: quote.investmentid, payout };
    return send({ body }, { onDone: ({ investment: left }) => onDone(left), onFailed });
  }
  function onFailed(error: CommandFailure) {
    logFailure('Error leaving an investment:', error);
    const known = isRefused(error) ? 'Nothing has moved.' : 'It is not known whether it was left.';
    toastFailure('The investment was not left', known);
    setReason(reasonOf(error));
    if (error instanceof ApiRefusal && error.code === 'terms_changed') onChanged();
  }

  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-4.5"
      onSubmit={(event) => {
        event.preventDefault();
        void leave();
      }}
    >
      <Receipt rows={linesOf(quote, investment)} />
      <Holds quote={quote} />
      <div role="status" className="empty:absolute">
        {firstPayout !== payout && !reason && (
          <QuietNotice>Another day is over since you looked: leaving now pays {usd(payout)}.</QuietNotice>
        )}
      </div>
      {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Sending">
        {`Leave and receive ${usd(payout)}`}
      </SubmitButton>
      <FinePrint>It is paid to your wallet at once and cannot be undone.</FinePrint>
    </form>
  );
}

const linesOf = (quote: ExitQuote, { duration }: Investment) => [
  { name: 'Amount', value: usd(quote.amount) },
  { name: `Profit so far, ${quote.days} of ${counted(duration, 'day')}`, value: usd(quote.accrued) },
  { name: `You keep ${quote.keeps}% of it`, value: <SignedMoney cents={centsOf(quote.kept)} /> },
  {
    name: `Fee, ${quote.feepercent}% of the amount`,
    value: <SignedMoney cents={-centsOf(quote.fee)} />,
  },
  { name: 'Paid to your wallet', value: <b className="text-body">{usd(quote.payout)}</b> },
];

/** Until when, and what staying would pay. */
function Holds({ quote }: { quote: ExitQuote }) {
  const local = localTimeOf(quote.validuntil);
  const atEnd = formatUsd(centsOf(quote.amount) + centsOf(quote.profit));
  return (
    <div className="grid gap-1 text-label text-2 tabular-nums">
      <p>
        These amounts hold until{' '}
        <b className="font-semibold text-1">
          {longDayOf(quote.validuntil)}, {timeOf(quote.validuntil)}
        </b>
        {local && ` (${local}, by your clock)`}.
      </p>
      <p>
        If you stay until {longDayOf(quote.maturesat)}, it pays {atEnd}.
      </p>
    </div>
  );
}

function ExitDone({ made, onClose }: { made: Investment; onClose: () => void }) {
  const { exit, planname } = made;
  const paid = exit?.paid ?? 0;
  return (
    <Success
      title={`You left ${planname}`}
      text={`${usd(paid)} is in your wallet.`}
      receipt={[
        { name: 'Amount', value: usd(made.investinvestmemntamount) },
        { name: 'Profit you keep', value: <SignedMoney cents={centsOf(exit?.profit ?? 0)} /> },
        { name: 'Fee', value: <SignedMoney cents={-centsOf(exit?.fee ?? 0)} /> },
        { name: 'Paid to your wallet', value: usd(paid) },
        { name: 'Transaction ID', value: <Mono>{exit?.transactionid ?? ''}</Mono> },
        { name: 'Record code', value: <RecordCode transactionid={exit?.transactionid ?? ''} /> },
      ]}
      onClose={onClose}
    />
  );
}
