import { zodResolver } from '@hookform/resolvers/zod';
import { Reason, reasonLengthMax } from '@tallystick/contract/operator/fields';
import type { rejectdeposit, rejectwithdrawal } from '@tallystick/contract/operator/queue';
import { type ReactNode, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { fieldsOf } from '../../../domain/forms/fields.ts';
import { Beside } from '../../../domain/forms/form-notes.tsx';
import { useNow } from '../../../domain/now.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { TextLink } from '../../../ui/actions/links.tsx';
import { Spinner } from '../../../ui/facts/spinner.tsx';
import { TextAreaField } from '../../../ui/forms/field.tsx';
import { RadioRows } from '../../../ui/forms/radio-rows.tsx';
import { Drawer, DrawerBody, DrawerFoot, DrawerForm } from '../../../ui/overlays/drawer.tsx';
import { useUnsent } from '../../../ui/overlays/modal.tsx';
import { useAct } from '../../forms/act.ts';
import type { Fact } from '../../lists/console-table.tsx';
import { DrawerFacts, Gone } from '../drawer-facts.tsx';
import type { DepositItem, DrawerProps, WithdrawalItem } from '../item.ts';
import { waitingText } from '../wording.ts';
import { messageAfter, type ReasonChoice } from './reasons.ts';

/** What each way of deciding about a request is given. */
export interface DecisionProps {
  onReject: () => void;
  onDone: () => void;
  /** What is known about the request. */
  children: ReactNode;
}

interface RequestDrawerProps extends DrawerProps<DepositItem | WithdrawalItem> {
  /** Unless it is being rejected. */
  title: string;
  /** What is known besides who asked, and when. */
  facts: readonly Fact[];
  /** Beneath the facts. */
  note: ReactNode;
  reject: {
    call: typeof rejectdeposit | typeof rejectwithdrawal;
    what: 'Deposit' | 'Withdrawal';
    choices: readonly ReasonChoice[];
    hint: string;
  };
  children: (decision: DecisionProps) => ReactNode;
}

/** Everything about what an investor asked for. Each kind brings its own ways of saying yes; saying no is the same. */
export function RequestDrawer(props: RequestDrawerProps) {
  const { item, step, isGone, onStep, onClose, title, facts, note, reject, children } = props;
  const { _id, transactionid, requestedat } = item.of;
  const now = useNow();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(reject.call);
  const rejectLabel = `Reject ${reject.what.toLowerCase()}`;

  function onReject(reason: string) {
    setRefusal(null);
    return act(
      { params: { id: _id }, body: { reason } },
      { done: `${reject.what} ${transactionid} rejected`, onDone: onClose, onRefused: setRefusal },
    );
  }

  const known = (
    <>
      {isGone && <Gone />}
      <DrawerFacts facts={[...askedOf(item), ...facts]} />
      {note}
    </>
  );
  return (
    <Drawer
      title={step === 'reject' ? rejectLabel : title}
      note={
        <>
          <span className="font-mono">{transactionid}</span>, waiting {waitingText(requestedat, now)}
        </>
      }
      guarded={isGone ? false : undefined}
      onClose={onClose}
    >
      {step === 'reject' ? (
        <RejectForm
          choices={reject.choices}
          hint={`Sent by e-mail and shown beside the request. ${reject.hint}`}
          label={rejectLabel}
          busy={busy}
          refusal={refusal}
          onReject={onReject}
          onBack={() => onStep('review')}
        >
          {known}
        </RejectForm>
      ) : (
        children({ onReject: () => onStep('reject'), onDone: onClose, children: known })
      )}
    </Drawer>
  );
}

const askedOf = ({ of: { investor, requestedat } }: DepositItem | WithdrawalItem): Fact[] => [
  {
    name: 'Investor',
    value: (
      <TextLink replace to={`/operator/investors/${investor._id}`}>
        {investor.fullname}
      </TextLink>
    ),
  },
  { name: 'Asked', value: `${dayOf(requestedat)}, ${timeOf(requestedat)}` },
];

const fields = z.object({ reason: Reason });

interface RejectFormProps {
  choices: readonly ReasonChoice[];
  /** What becomes of the money and how the investor is told. */
  hint: string;
  label: string;
  busy: boolean;
  /** Why the server refused. */
  refusal: string | null;
  onReject: (reason: string) => void;
  onBack: () => void;
  /** What is known about the request. */
  children: ReactNode;
}

function RejectForm(props: RejectFormProps) {
  const { choices, hint, label, busy, refusal, onReject, onBack, children } = props;
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { reason: '' } });
  const [chosen, setChosen] = useState<string | null>(null);
  const written = useWatch({ control: form.control, name: 'reason' });
  useUnsent(form.formState.isDirty);

  function choose(name: string) {
    const choice = choices.find((each) => each.name === name);
    if (!choice) return;
    setChosen(name);
    const next = messageAfter(choice, choices, written);
    form.setValue('reason', next, { shouldDirty: true, shouldValidate: next !== '' });
    if (next === '') form.setFocus('reason');
  }

  return (
    <DrawerForm onSubmit={form.handleSubmit(({ reason }) => onReject(reason))}>
      <DrawerBody>
        {children}
        <RadioRows
          legend="Reason"
          choices={choices.map(({ name }) => ({ value: name, name }))}
          chosen={chosen}
          onChoose={choose}
        />
        <TextAreaField
          label="Message to the investor"
          hint={hint}
          maxLength={reasonLengthMax}
          beside={<Beside>{`${written.length} of ${reasonLengthMax}`}</Beside>}
          {...fieldsOf(form)('reason')}
        />
      </DrawerBody>
      <DrawerFoot refusal={refusal}>
        <Button onClick={onBack}>Back</Button>
        {/* Its edge and its word are the colour of money going out. */}
        <Button type="submit" busy={busy} className="text-debit! inset-ring-debit!">
          {busy && <Spinner />}
          {label}
        </Button>
      </DrawerFoot>
    </DrawerForm>
  );
}
