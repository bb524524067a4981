import { CopyButton } from '../../ui/actions/copy.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Qr } from '../../ui/facts/qr.tsx';
import { type Fact, Facts } from '../lists/console-table.tsx';

/** What is known about the thing, above what is to be decided. */
export function DrawerFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <div className="[&_dd]:mt-0.5 [&_dd]:font-semibold [&_dl]:gap-y-3.5">
      <Facts facts={facts} />
    </div>
  );
}

/** While the drawer was open the thing has left the queue. The server says by whom when a button is pressed. */
export function Gone() {
  return (
    <QuietNotice role="status">
      This is no longer in the queue: it was decided or cancelled in the meantime.
    </QuietNotice>
  );
}

/** An address to scan, to copy, and in groups of four to compare by eye. */
export function WholeAddress({ address, label }: { address: string; label: string }) {
  const groups = address.match(/.{1,4}/g) ?? [];
  return (
    <div className="grid grid-cols-[112px_minmax(0,1fr)] gap-3.5 rounded-code bg-sunken p-3.5 inset-ring inset-ring-line max-[350px]:grid-cols-1 tablet:grid-cols-[132px_minmax(0,1fr)] tablet:gap-4.5 tablet:p-4">
      <Qr text={address} label={`QR code of the address ${address}`} />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <div className="min-w-0">
          <p className="text-label font-label">{label}</p>
          {/* The air between the groups is no text: what is selected and copied by hand is unbroken. */}
          <p className="mt-1 font-mono text-caption/[19px] tablet:text-label/[21px]">
            {groups.map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups may be equal and never change places
              <span key={index} className="mr-2 inline-block tablet:mr-2.5">
                {group}
              </span>
            ))}
          </p>
        </div>
        <div className="mt-auto">
          <CopyButton text={address} label="Copy address" labelled />
        </div>
      </div>
    </div>
  );
}
