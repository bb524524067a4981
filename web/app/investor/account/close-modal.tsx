import { type ClosingState, close, closing } from '@tallystick/contract/account';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiRefusal, callApi } from '../../api.ts';
import { counted } from '../../domain/dates.ts';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { logFailure } from '../../log.ts';
import { useSession } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { Receipt } from '../money/command-modal.tsx';
import { isGivenUp } from '../security/act.ts';
import { hindrancesOf, whatHappens } from './closing-words.ts';

/** Says what happens, asks for the address, and closes; or says what has to go first. */
export function CloseModal({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { data, isError, refetch } = useLive(
    closing,
    {},
    'Error fetching whether the account can be closed:',
  );
  return (
    <Modal onClose={onClose}>
      <ModalHead>Close my account</ModalHead>
      <ModalBody>
        {data?.ready && <CloseForm state={data} onDone={onDone} onChanged={refetch} />}
        {data && !data.ready && <NotYet state={data} />}
        {!data && isError && (
          <Failed onRetry={refetch}>It could not be fetched whether your account is empty.</Failed>
        )}
        {!data && !isError && (
          <div aria-busy="true" className="grid gap-4.5">
            <p className="sr-only">Loading</p>
            <Skeleton className="h-[160px]" />
            <Skeleton className="h-11" />
            <Skeleton className="h-[54px]" />
          </div>
        )}
      </ModalBody>
    </Modal>
  );
}

function NotYet({ state }: { state: ClosingState }) {
  return (
    <>
      <p className="text-control text-2">
        {state.frozen
          ? 'Withdrawals are paused, so the account cannot be closed now. Please write to support.'
          : 'Your account can be closed when nothing is in it and nothing is on its way.'}
      </p>
      <Receipt rows={hindrancesOf(state).map(({ name, value }) => ({ name, value }))} />
      <div className="grid gap-2 text-label text-2">
        {hindrancesOf(state).map(({ name, advice, to, place }) => (
          <p key={name}>
            {advice} {to && <TextLink to={to}>{place}</TextLink>}
          </p>
        ))}
      </div>
    </>
  );
}

/** Leads to a field once something is wrong with what stands in it. */
function useFocusIf(isWrong: boolean) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWrong) field.current?.focus();
  }, [isWrong]);
  return field;
}

interface CloseFormProps {
  state: ClosingState;
  onDone: () => void;
  onChanged: () => void;
}

function CloseForm({ state, onDone, onChanged }: CloseFormProps) {
  const email = useSession()?.email ?? '';
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | undefined>();
  const [reason, setReason] = useState<ReactNode>(null);
  const field = useFocusIf(wrong !== undefined);

  async function send() {
    setBusy(true);
    setReason(null);
    setWrong(undefined);
    try {
      await callApi(close, { body: { email: typed.trim(), leave: state.leave } });
      onDone();
    } catch (error) {
      if (isGivenUp(error)) return;
      logFailure('Error closing the account:', error);
      const isAtField =
        error instanceof ApiRefusal && ['email_wrong', 'invalid_request'].includes(error.code);
      if (isAtField) setWrong(error.message);
      else setReason(failureDetail(error) ?? 'The account was not closed. Please try again.');
      if (error instanceof ApiRefusal) onChanged();
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() === '') setWrong('Type the e-mail address of your account.');
    else void send();
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <ul className="grid list-disc gap-1.5 pl-5 text-control text-2 marker:text-3">
        {whatHappens(state).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {state.leave > 0 && <LeftToTheHouse amount={state.leave} />}
      <Field
        ref={field}
        label="Your e-mail address, to confirm"
        name="email"
        type="email"
        autoComplete="off"
        placeholder={email}
        value={typed}
        error={wrong}
        onChange={(event) => setTyped(event.target.value)}
      />
      {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Closing">
        {state.leave > 0 ? `Leave ${usd(state.leave)} and close` : 'Close my account for good'}
      </SubmitButton>
      <FinePrint>
        It cannot be undone. After {counted(state.keptdays, 'day')} you can sign up again with this address.
      </FinePrint>
    </form>
  );
}

function LeftToTheHouse({ amount }: { amount: number }) {
  return (
    <QuietNotice>
      <b className="font-semibold text-1">{usd(amount)}</b> is left in your wallet, too little to withdraw.
      Closing leaves exactly this to the house.
    </QuietNotice>
  );
}
