import { freezeinvestor, unfreezeinvestor } from '@tallystick/contract/operator/investors';
import { ReasonModal } from '../forms/form-modal.tsx';

interface FreezeProps {
  id: string;
  name: string;
  isFrozen: boolean;
  onClose: () => void;
}

/** Stops an investor's withdrawals, or lets them go on. */
export function Freeze({ id, name, isFrozen, onClose }: FreezeProps) {
  return (
    <ReasonModal
      title={isFrozen ? 'Unfreeze withdrawals' : 'Freeze withdrawals'}
      call={isFrozen ? unfreezeinvestor : freezeinvestor}
      inputOf={(reason) => ({ params: { id }, body: { reason } })}
      done={isFrozen ? `${name} can withdraw again` : `Withdrawals of ${name} are frozen`}
      onClose={onClose}
    >
      {isFrozen
        ? `${name} can withdraw again, and requests that wait can be approved and paid.`
        : `Until it is lifted, no withdrawal of ${name} is approved or paid. The money stays in the account.`}
    </ReasonModal>
  );
}
