import { zodResolver } from '@hookform/resolvers/zod';
import type { Call, CallAnswer, CallInput } from '@tallystick/contract/call';
import type { ErrorCode } from '@tallystick/contract/errors';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { ApiRefusal } from '../../api.ts';
import { type CommandFailure, reasonOf, useMoneyCommand } from '../../domain/money/money-command.ts';
import { Button } from '../../ui/actions/button.tsx';
import { SuccessMark } from '../../ui/facts/success-mark.tsx';
import { Modal, ModalBody, ModalFoot, ModalHead, ModalTitle } from '../../ui/overlays/modal.tsx';
import { useNewestEntries } from './balance.ts';
import { OfferStates } from './offers.tsx';

export interface CommandFormProps<Made, Offer> {
  offers: readonly Offer[];
  onDone: (made: Made) => void;
}

interface CommandModalProps<Made, Offer> extends Omit<ComponentProps<typeof OfferStates<Offer>>, 'children'> {
  title: string;
  onClose: () => void;
  Form: (props: CommandFormProps<Made, Offer>) => ReactNode;
  Done: (props: { made: Made; onClose: () => void }) => ReactNode;
}

/** First the form, then what came of it. After that the form is a new one. */
export function CommandModal<Made, Offer>(props: CommandModalProps<Made, Offer>) {
  const { title, onClose, Form, Done, ...offers } = props;
  const [made, setMade] = useState<Made | null>(null);
  function close() {
    setMade(null);
    onClose();
  }
  return (
    <Modal narrow={made !== null} onClose={close}>
      {made === null ? (
        <>
          <ModalHead>{title}</ModalHead>
          <ModalBody>
            <OfferStates {...offers}>{(found) => <Form offers={found} onDone={setMade} />}</OfferStates>
          </ModalBody>
        </>
      ) : (
        <Done made={made} onClose={close} />
      )}
    </Modal>
  );
}

interface CommandFormNeeds<C extends Call, Typed extends FieldValues, Read> {
  call: C;
  fields: z.ZodType<Read, Typed>;
  values: DefaultValues<Typed>;
  /** The field it begins in. */
  first: Path<Typed>;
  /** The field that a refusal is about; the others stand beneath the form. */
  fieldOf: Partial<Record<ErrorCode, Path<Typed>>>;
  onFailed: (error: CommandFailure) => void;
}

/** A form that is sent as a command, and shows where a refusal belongs. */
export function useCommandForm<C extends Call, Typed extends FieldValues, Read>(
  needs: CommandFormNeeds<C, Typed, Read>,
) {
  const { call, fields, values, first, fieldOf, onFailed } = needs;
  const form = useForm<Typed, unknown, Read>({ resolver: zodResolver(fields), defaultValues: values });
  const { setFocus } = form;
  const [reason, setReason] = useState<string | null>(null);
  const command = useMoneyCommand(call);
  useEffect(() => setFocus(first), [setFocus, first]);

  function send(input: CallInput<C>, onDone: (answer: CallAnswer<C>) => void) {
    setReason(null);
    return command.send(input, {
      onDone,
      onFailed: (error) => {
        onFailed(error);
        const field = error instanceof ApiRefusal ? fieldOf[error.code] : undefined;
        if (field) form.setError(field, { message: reasonOf(error) }, { shouldFocus: true });
        else setReason(reasonOf(error));
      },
    });
  }
  return { form, busy: command.busy, reason, send };
}

type ReceiptRows = readonly { name: string; value: ReactNode }[];

interface SuccessProps {
  title: string;
  text: string;
  receipt: ReceiptRows;
  onClose: () => void;
  /** What is to be done next. It stands before the receipt. */
  children?: ReactNode;
  /** What may be done besides. It stands after the receipt. */
  after?: ReactNode;
}

/** What a modal shows once the thing is done. */
export function Success({ title, text, receipt, onClose, children, after }: SuccessProps) {
  const close = useRef<HTMLButtonElement>(null);
  // The form and the button in it are gone, and the focus went with them.
  useEffect(() => close.current?.focus(), []);
  return (
    <>
      <ModalBody hasFoot>
        <div className="grid justify-items-center pt-6 text-center">
          <SuccessMark />
          <ModalTitle className="text-[1.5rem]/7.5 tracking-[-0.018em]">{title}</ModalTitle>
          <p role="status" className="mt-1.5 text-2">
            {text}
          </p>
        </div>
        {children}
        <Receipt rows={receipt} />
        {after}
      </ModalBody>
      <ModalFoot>
        <Button ref={close} look="primary" size="large" className="w-full" onClick={onClose}>
          Close
        </Button>
      </ModalFoot>
    </>
  );
}

export function Receipt({ rows }: { rows: ReceiptRows }) {
  return (
    <dl className="grid rounded-code text-control tabular-nums inset-ring inset-ring-line">
      {rows.map(({ name, value }) => (
        <div key={name} className="flex justify-between gap-4 border-line px-4 py-2.5 not-first:border-t">
          <dt className="text-2 whitespace-nowrap">{name}</dt>
          <dd className="min-w-0 text-right font-semibold break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Mono({ children }: { children: string }) {
  return <span className="font-mono text-[0.93em] font-medium tracking-[-0.01em]">{children}</span>;
}

/** The code of an entry that was written a moment ago. */
export function RecordCode({ transactionid }: { transactionid: string }) {
  const { data } = useNewestEntries();
  const entry = data?.balance.find((one) => one.transactionid === transactionid);
  return entry ? <Mono>{entry.recordcode}</Mono> : <span className="font-normal text-3">being read</span>;
}
