import { protectaddresses } from '@tallystick/contract/addresses';
import { useRef } from 'react';
import { callApi } from '../../api.ts';
import { Button, ButtonLink } from '../../ui/actions/button.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useAddressBook, useBookAct } from '../addresses/book.ts';
import { useMoneyOff } from '../offline/reach.ts';
import { FactorCard } from './factor-card.tsx';

const texts = {
  off: 'With a second factor on, you can also let withdrawals go only to addresses that you have saved.',
  on: 'Withdrawals go only to addresses that you have saved.',
  ending: 'Withdrawals go only to saved addresses. That is about to end.',
} as const;

/** Suggested once a factor is on; nothing where it is not known how it stands. */
export function AddressesLine() {
  const { data } = useAddressBook();
  const { busy, act } = useBookAct();
  const off = useMoneyOff();
  const link = useRef<HTMLAnchorElement>(null);
  if (!data) return null;
  const { state } = data.protection;
  const protect = () =>
    act('Nothing was changed', async () => {
      await callApi(protectaddresses, {});
      toastSuccess('Your addresses are protected');
      // The button goes, and nothing takes its place.
      link.current?.focus();
    });
  return (
    <FactorCard
      title="Addresses"
      text={texts[state]}
      foot={
        <>
          {state === 'off' && (
            <Button busy={busy} onClick={protect} {...off}>
              Protect my addresses
            </Button>
          )}
          <ButtonLink ref={link} look="quiet" to="/addresses">
            See them
          </ButtonLink>
        </>
      }
    />
  );
}
