import type { DerivedAddress } from '@tallystick/contract/operator/methods';

/** The first addresses of a key, each with its path: whoever has the wallet sees there whether they are its own. */
export function KeyAddresses({ addresses }: { addresses: readonly DerivedAddress[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-2 text-label tablet:grid-cols-[auto_minmax(0,1fr)] tablet:gap-y-1.5">
      {addresses.map(({ path, address }) => (
        <div key={path} className="tablet:contents">
          <dt className="font-mono text-[0.875em] tracking-[-0.01em] whitespace-nowrap text-3">{path}</dt>
          <dd className="min-w-0 font-mono text-[0.875em] tracking-[-0.01em] break-all">{address}</dd>
        </div>
      ))}
    </dl>
  );
}
