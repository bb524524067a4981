import {
  type AddressProtection,
  addressWaitHours,
  protectaddresses,
  unprotectaddresses,
} from '@tallystick/contract/addresses';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { counted, dayOf, localTimeOf, whenOf } from '../../domain/dates.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Modal, ModalBody, ModalHead, ModalText } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { FactorCard } from '../security/factor-card.tsx';
import { useBookAct } from './book.ts';

const chips = {
  off: null,
  on: { look: 'done', text: 'On' },
  ending: { look: 'waiting', text: 'About to end' },
} as const;

interface ProtectionProps {
  protection: AddressProtection;
  /** How many addresses are saved. */
  count: number;
}

/** The switch: on at once, off a day later. */
export function Protection({ protection, count }: ProtectionProps) {
  const { state } = protection;
  const chip = chips[state];
  const { busy, act } = useBookAct();
  const [isEnding, setIsEnding] = useState(false);
  const off = useMoneyOff();

  const protect = () =>
    act('Nothing was changed', async () => {
      await callApi(protectaddresses, {});
      toastSuccess(state === 'ending' ? 'Your addresses stay protected' : 'Your addresses are protected');
    });
  const unprotect = () =>
    act('Nothing was changed', async () => {
      await callApi(unprotectaddresses, {});
      setIsEnding(false);
    });

  return (
    <FactorCard
      title="Protected addresses"
      text="Withdrawals go only to addresses that are saved here, whoever is signed in."
      beside={chip && <Chip look={chip.look}>{chip.text}</Chip>}
      foot={
        state === 'on' ? (
          <Button busy={busy} onClick={() => setIsEnding(true)} {...off}>
            Switch off
          </Button>
        ) : (
          <Button look={state === 'ending' ? 'primary' : 'secondary'} busy={busy} onClick={protect} {...off}>
            {state === 'ending' ? 'Keep protecting' : 'Protect my addresses'}
          </Button>
        )
      }
    >
      <div className="grid gap-3.5 px-5 pb-5 text-label text-2 tablet:px-7">
        <StateText protection={protection} count={count} />
      </div>
      {isEnding && state === 'on' && (
        <SwitchOff busy={busy} onConfirm={unprotect} onClose={() => setIsEnding(false)} />
      )}
    </FactorCard>
  );
}

function StateText({ protection: { state, since, offfrom }, count }: ProtectionProps) {
  if (state === 'ending' && offfrom) {
    const local = localTimeOf(offfrom);
    return (
      <QuietNotice>
        <b className="font-semibold text-1">It ends {whenOf(offfrom)}</b>
        {local && ` (${local})`}. Until then nothing changes. You can keep it here, or with the link in the
        e-mail that we sent you.
      </QuietNotice>
    );
  }
  if (state === 'on') {
    return (
      <p>
        On since {since && dayOf(since)}. A new address takes a confirmation and, without a second factor,{' '}
        {addressWaitHours} hours.
      </p>
    );
  }
  return (
    <>
      <p>
        A new address then takes a confirmation and, without a second factor, {addressWaitHours} hours. We
        tell you by e-mail, with a link to stop it. Switching it off takes {addressWaitHours} hours, too.
      </p>
      {count > 0 && (
        <p>
          {counted(count, 'address', 'addresses')} that {count === 1 ? 'is' : 'are'} saved already can be used
          at once: look through them first.
        </p>
      )}
    </>
  );
}

interface SwitchOffProps {
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function SwitchOff({ busy, onConfirm, onClose }: SwitchOffProps) {
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>Switch protection off?</ModalHead>
      <ModalBody>
        <ModalText>
          It ends {addressWaitHours} hours from now. Then withdrawals can go to any address. We tell you by
          e-mail, and until then it can be stopped there or here.
        </ModalText>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onConfirm();
          }}
          className="grid gap-2.5"
        >
          <SubmitButton busy={busy} busyLabel="Sending">
            Switch off
          </SubmitButton>
          <Button look="quiet" onClick={onClose}>
            Keep it on
          </Button>
        </form>
      </ModalBody>
    </Modal>
  );
}
