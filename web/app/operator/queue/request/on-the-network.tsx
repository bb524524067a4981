import { hasOutputs, spelledTxid, txidForm } from '@tallystick/contract/chain';
import type { Network } from '@tallystick/contract/networks';
import { ChainTransactionId } from '@tallystick/contract/operator/queue';
import { z } from 'zod';
import { Field, type FieldProps } from '../../../ui/forms/field.tsx';

const outputMax = 100_000;

/** The form is told while it is typed; the server looks again. */
export const paymentFields = (network: Network | null) => ({
  chaintransactionid: ChainTransactionId.refine(
    (typed) => network === null || spelledTxid(network, typed) !== null,
    network ? txidForm(network) : '',
  ),
  chainoutput: z
    .string()
    .trim()
    .regex(/^\d{0,6}$/, 'Enter a whole number, or nothing.')
    .refine((text) => Number(text) <= outputMax, 'This number is too large.'),
});

/** Nothing typed is no output: the whole transaction is meant. */
export const outputOf = (typed: string) => (typed === '' ? {} : { chainoutput: Number(typed) });

interface OnTheNetworkProps {
  network: Network | null;
  /** What one of its transactions pays here, in the plural. */
  things: string;
  hint: string;
  id: Omit<FieldProps, 'label'>;
  output: Omit<FieldProps, 'label'>;
}

/** Under which id a payment is found, and as which part of it. */
export function OnTheNetwork({ network, things, hint, id, output }: OnTheNetworkProps) {
  return (
    <>
      <Field
        label="Transaction ID on the network"
        autoComplete="off"
        spellCheck={false}
        hint={hint}
        {...id}
      />
      {network && hasOutputs(network) && (
        <details className="text-label text-2" open={output.error ? true : undefined}>
          <summary className="min-h-6 cursor-pointer">One transaction pays several {things}?</summary>
          <div className="mt-3">
            <Field
              label="Output number"
              inputMode="numeric"
              autoComplete="off"
              hint="Which output of the transaction it is, counted from 0."
              {...output}
            />
          </div>
        </details>
      )}
    </>
  );
}
