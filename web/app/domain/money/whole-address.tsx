import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { Qr } from '../../ui/facts/qr.tsx';

/** In groups of four. The air between them is no text: what is selected and copied by hand is unbroken. */
export function InFours({ text, className }: { text: string; className: string }) {
  return [...text.matchAll(/.{1,4}/g)].map(({ 0: group, index: at }) => (
    <span key={at} className={`inline-block ${className}`}>
      {group}
    </span>
  ));
}

interface WholeAddressProps {
  address: string;
  /** What a wallet reads; the address itself, unless there is more to say. */
  scanned?: string | null;
  qrLabel: string;
  /** Whose address it is. */
  children: ReactNode;
}

/** An address to scan, to copy, and in groups of four to compare by eye. */
export function WholeAddress({ address, scanned, qrLabel, children }: WholeAddressProps) {
  return (
    <div className="grid grid-cols-[112px_minmax(0,1fr)] gap-3.5 rounded-code bg-sunken p-3.5 inset-ring inset-ring-line max-[350px]:grid-cols-1 tablet:grid-cols-[132px_minmax(0,1fr)] tablet:gap-4.5 tablet:p-4">
      <Qr text={scanned ?? address} label={qrLabel} />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-label font-label">{children}</p>
          <p className="mt-1 font-mono text-caption/[19px] tablet:text-label/[21px]">
            <InFours text={address} className="mr-2 tablet:mr-2.5" />
          </p>
        </div>
        <div className="mt-auto">
          <CopyButton text={address} label="Copy address" labelled />
        </div>
      </div>
    </div>
  );
}
