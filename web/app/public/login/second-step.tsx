import type { FactorWay } from '@tallystick/contract/errors';
import { secondfactor, secondfactoroptions } from '@tallystick/contract/factors';
import type { Session } from '@tallystick/contract/users';
import { ApiRefusal, callApi } from '../../api.ts';
import { type Proof, ProofForm } from '../../domain/factors/proof-form.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { LostFactor } from './lost-factor.tsx';

interface SecondStepProps {
  ways: readonly FactorWay[];
  onSignedIn: (session: Session) => Promise<void>;
  onBack: (why: 'pressed' | 'over') => void;
}

/** The password was right; whoever has switched on a second factor shows it here. */
export function SecondStep({ ways, onSignedIn, onBack }: SecondStepProps) {
  /** What the server remembers of the password has an end: then the password is asked for again. */
  async function unlessOver<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === 'flow_over') onBack('over');
      throw error;
    }
  }
  const onProof = (body: Proof) => unlessOver(async () => onSignedIn(await callApi(secondfactor, { body })));

  return (
    <>
      <AuthTitle>One more step</AuthTitle>
      <AuthLead>Your password is right. Now show your second factor.</AuthLead>
      <div className="mt-7">
        <ProofForm
          ways={ways}
          submitLabel="Login"
          askOptions={() => unlessOver(() => callApi(secondfactoroptions, {}))}
          onProof={onProof}
        />
      </div>
      <LostFactor />
      <Button look="quiet" className="mt-1 -ml-[18px]" onClick={() => onBack('pressed')}>
        Back to the password
      </Button>
    </>
  );
}
