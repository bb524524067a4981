import { newrecoverycodes } from '@tallystick/contract/factors';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../api.ts';
import { counted } from '../../domain/dates.ts';
import { codesOf, RecoveryCodes } from '../../domain/factors/recovery-codes.tsx';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { useFactorAct } from './act.ts';
import { FactorCard } from './factor-card.tsx';

/** From here on new ones are suggested. */
const few = 3;

export function Recovery({ left }: { left: number }) {
  const { busy, act } = useFactorAct();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = () =>
    act('No new recovery codes were made', async () =>
      setCodes((await callApi(newrecoverycodes, {})).recoverycodes),
    );
  return (
    <FactorCard
      title="Recovery codes"
      text="Each signs you in once when your other ways are not at hand."
      beside={<span className="text-control font-semibold">{`${left} left`}</span>}
      foot={
        <Button busy={busy} onClick={make}>
          Make new codes
        </Button>
      }
    >
      {left <= few && (
        <div className="px-5 pb-4 tablet:px-7">
          <QuietNotice>
            {left === 0 ? 'None is left.' : `Only ${counted(left, 'code')} left.`} Make new ones before you
            need them; the older ones then stop working.
          </QuietNotice>
        </div>
      )}
      {codes && <SetUpModal codes={codes} onClose={() => setCodes(null)} />}
    </FactorCard>
  );
}

const shownOnce = {
  name: 'Close without keeping them',
  text: 'The codes are shown only now. You can make new ones later.',
  stay: 'Show them',
  leave: 'Close',
};

interface SetUpModalProps {
  /** There as soon as the first factor is. */
  codes: readonly string[] | null;
  onClose: () => void;
  /** A `ModalHead` and a `ModalBody`, until then. */
  children?: ReactNode;
}

/** What sets up a factor. With the first one it ends with the recovery codes. */
export function SetUpModal({ codes, onClose, children }: SetUpModalProps) {
  const email = useSession()?.email ?? '';
  if (!codes) return <Modal onClose={onClose}>{children}</Modal>;
  return (
    <Modal guarded asking={shownOnce} onClose={onClose}>
      <ModalHead>Keep your recovery codes</ModalHead>
      <ModalBody>
        <RecoveryCodes of={codesOf.investor} email={email} codes={codes} onKept={onClose}>
          Each signs you in once when your other ways are lost. They are shown only now.
        </RecoveryCodes>
      </ModalBody>
    </Modal>
  );
}
