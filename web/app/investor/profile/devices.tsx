import type { DeviceKind } from '@tallystick/contract/device';
import { type Device, devices, signoutdevice, signoutothers } from '@tallystick/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { LogOut, type LucideIcon, Monitor, Smartphone, SquareTerminal, TabletSmartphone } from 'lucide-react';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Card, RowIcon } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { toastFailure, toastSuccess } from '../../ui/overlays/toast.tsx';
import { deviceOf } from './user-agent.ts';

const icons: Record<DeviceKind, LucideIcon> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: TabletSmartphone,
  program: SquareTerminal,
};

export function Devices() {
  const query = useLive(devices, {}, 'Error fetching devices:');
  const { busyWith, signOut } = useSignOut();
  const others = query.data?.device.filter(({ current }) => !current) ?? [];
  return (
    <Card aria-labelledby="devices" className="tabular-nums">
      <div className="border-b border-line px-5 pt-5 pb-3 tablet:px-7 tablet:pt-6 tablet:pb-3.5">
        <h2 id="devices" className="text-body/5.5 tracking-[-0.01em]">
          Signed-in devices
        </h2>
        <p className="mt-1 text-label text-2">
          Sign out anything you do not recognise, then change your password.
        </p>
      </div>
      <LiveList
        query={query}
        tellsAge={false}
        rows={query.data?.device}
        ifFailed="Your devices could not be fetched."
        skeleton={{ height: 'h-18', count: 2 }}
        empty={null}
        phone={(rows) => (
          <ul>
            {rows.map((device) => (
              <DeviceRow
                key={device._id}
                device={device}
                busyWith={busyWith}
                onSignOut={() => signOut(device)}
              />
            ))}
          </ul>
        )}
      />
      <div className="border-t border-line px-5 py-4 tablet:px-7">
        <Button
          look="quiet"
          disabled={others.length === 0 || busyWith !== null}
          onClick={() => signOut('others')}
          className="-ml-[18px]"
        >
          <LogOut className="size-4" aria-hidden="true" />
          Sign out everywhere else
        </Button>
      </div>
    </Card>
  );
}

interface DeviceRowProps {
  device: Device;
  busyWith: string | null;
  onSignOut: () => void;
}

function DeviceRow({ device, busyWith, onSignOut }: DeviceRowProps) {
  const now = useNow();
  const { name, kind } = deviceOf(device.useragent);
  const text = device.current
    ? `This device, signed in ${dayOf(device.signedinat)}`
    : `Last active ${agoOf(device.seenat, now)}`;
  // Two of the same kind at the same address differ in nothing else.
  const firstSeen = `first seen ${dayOf(device.firstseenat)}, ${timeOf(device.firstseenat)}`;
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1 border-line px-5 py-3.5 not-first:border-t tablet:px-7">
      <RowIcon Icon={icons[kind]} />
      <div>
        <b className="block text-control/5 font-label">{name}</b>
        <Small>{text}</Small>
      </div>
      {device.current ? (
        <Chip look="done">Here</Chip>
      ) : (
        <Button
          size="small"
          busy={busyWith !== null}
          onClick={onSignOut}
          aria-label={`Sign out ${name}, ${firstSeen}`}
        >
          {busyWith === device._id ? 'Signing out' : 'Sign out'}
        </Button>
      )}
      <Small className="col-span-2 col-start-2 wrap-anywhere">{`From ${device.address}, ${firstSeen}`}</Small>
    </li>
  );
}

/** One at a time: a second press while the first is on its way does nothing. */
function useSignOut() {
  const queries = useQueryClient();
  const [busyWith, setBusyWith] = useState<string | null>(null);

  async function signOut(which: Device | 'others') {
    setBusyWith(which === 'others' ? which : which._id);
    try {
      if (which === 'others') await callApi(signoutothers, {});
      else await callApi(signoutdevice, { params: { deviceid: which._id } });
      toastSuccess(
        which === 'others' ? 'Signed out everywhere else' : `Signed out ${deviceOf(which.useragent).name}`,
      );
    } catch (error) {
      logFailure('Error signing out a device:', error);
      toastFailure('The device was not signed out', failureDetail(error));
    }
    await queries.invalidateQueries({ queryKey: [devices.path] });
    setBusyWith(null);
  }

  return { busyWith, signOut };
}
