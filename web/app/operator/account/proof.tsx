import type { FactorWay } from '@tallystick/contract/errors';
import {
  type OperatorFactors,
  operatorfactors,
  operatorproofoptions,
} from '@tallystick/contract/operator/factors';
import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../api.ts';
import { type Proof, ProofForm } from '../../domain/factors/proof-form.tsx';

const waysOf = ({ authenticator, passkey, recoverycodesleft }: OperatorFactors): FactorWay[] => [
  ...(passkey.length > 0 ? (['passkey'] as const) : []),
  ...(authenticator ? (['code'] as const) : []),
  ...(recoverycodesleft > 0 ? (['recovery'] as const) : []),
];

interface OwnProofProps {
  factors: OperatorFactors;
  submitLabel: string;
  onProof: (proof: Proof) => Promise<void>;
}

/** Every change takes one of the ways in, shown for it. */
export function OwnProof({ factors, ...form }: OwnProofProps) {
  return <ProofForm ways={waysOf(factors)} askOptions={() => callApi(operatorproofoptions, {})} {...form} />;
}

/** After every change the list is read anew. */
export function useReread(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [operatorfactors.path] });
}
