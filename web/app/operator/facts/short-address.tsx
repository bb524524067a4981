import { shortAddress } from '../../domain/money/short-address.ts';
import { CopyButton } from '../../ui/actions/copy.tsx';

/** Both ends to look at, the whole to copy. */
export function ShortAddress({ address }: { address: string }) {
  return (
    <span className="-my-3 inline-flex items-center font-mono text-caption tracking-[-0.01em] whitespace-nowrap tablet:text-label">
      <span title={address}>{shortAddress(address)}</span>
      <CopyButton text={address} label={`Copy the address ${address}`} />
    </span>
  );
}
