import type { Enrolment } from '@tallystick/contract/operator/session';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { Qr } from '../../ui/facts/qr.tsx';
import { InFours } from '../money/whole-address.tsx';

/** What an authenticator app needs to know: to scan, to copy and to type in. */
export function AuthenticatorKey({ enrolment: { secret, uri } }: { enrolment: Enrolment }) {
  const key = secret.replace(/\s/g, '');
  return (
    <>
      <p className="text-control text-2">
        Scan this with an authenticator app, or type the key into it. Then enter the code it shows.
      </p>
      <div className="grid justify-items-center gap-3.5 rounded-code bg-sunken p-4 inset-ring inset-ring-line">
        <div className="[&>span]:size-44!">
          <Qr text={uri} label="QR code for your authenticator app" />
        </div>
        <div className="text-center">
          <p className="text-caption text-3">Key</p>
          <p className="font-mono text-label/6">
            <InFours text={key} className="mx-1" />
          </p>
        </div>
        <CopyButton text={key} label="Copy key" labelled />
      </div>
    </>
  );
}
