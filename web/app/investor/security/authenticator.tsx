import {
  confirmauthenticator,
  type Factors,
  newauthenticator,
  removeauthenticator,
} from '@tallystick/contract/factors';
import type { Enrolment } from '@tallystick/contract/operator/session';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { agoOf, dayOf } from '../../domain/dates.ts';
import { AuthenticatorKey } from '../../domain/factors/authenticator-key.tsx';
import { CodeForm } from '../../domain/factors/code-form.tsx';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useFactorAct, useReread } from './act.ts';
import { FactorCard } from './factor-card.tsx';
import { SetUpModal } from './recovery.tsx';
import { RemoveModal, withoutFactor } from './remove-modal.tsx';

interface AuthenticatorProps {
  /** Null while it is off. */
  authenticator: Factors['authenticator'];
  isLast: boolean;
}

export function Authenticator({ authenticator, isLast }: AuthenticatorProps) {
  const { busy, act } = useFactorAct();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isRemoving, setRemoving] = useState(false);

  const begin = () =>
    act('The authenticator was not set up', async () => setEnrolment(await callApi(newauthenticator, {})));
  const remove = () =>
    act('The authenticator was not removed', async () => {
      await callApi(removeauthenticator, {});
      toastSuccess('Authenticator removed');
      setRemoving(false);
    });

  return (
    <FactorCard
      title="Authenticator app"
      text="Six digits from an app on your phone, new every half minute."
      beside={authenticator && <Chip look="done">On</Chip>}
      foot={
        <>
          <Button busy={busy} onClick={begin}>
            {authenticator ? 'Replace' : 'Set up'}
          </Button>
          {authenticator && (
            <Button look="quiet" disabled={busy} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </>
      }
    >
      {authenticator && <Since {...authenticator} />}
      {enrolment && <SetUp enrolment={enrolment} onClose={() => setEnrolment(null)} />}
      {isRemoving && (
        <RemoveModal
          title="Remove the authenticator?"
          text={withoutFactor(isLast)}
          busy={busy}
          onRemove={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </FactorCard>
  );
}

function Since({ createdat, usedat }: { createdat: string; usedat: string | null }) {
  const now = useNow();
  return (
    <p className="border-t border-line px-5 py-3.5 text-control tablet:px-7">
      On since {dayOf(createdat)}, {usedat ? `last used ${agoOf(usedat, now)}` : 'not used yet'}.
    </p>
  );
}

function SetUp({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const reread = useReread();
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function confirm(code: string) {
    const { recoverycodes } = await callApi(confirmauthenticator, { body: { code } });
    toastSuccess('Authenticator set up');
    void reread();
    if (recoverycodes) setCodes(recoverycodes);
    else onClose();
  }

  return (
    <SetUpModal codes={codes} onClose={onClose}>
      <ModalHead>Set up your authenticator</ModalHead>
      <ModalBody>
        <CodeForm submitLabel="Confirm" onCode={confirm}>
          <AuthenticatorKey enrolment={enrolment} />
        </CodeForm>
      </ModalBody>
    </SetUpModal>
  );
}
