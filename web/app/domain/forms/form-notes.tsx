import type { ReactNode } from 'react';

/** One centred line under the button that ends a form. */
export function FinePrint({ children }: { children: ReactNode }) {
  return <p className="-mt-1.5 text-center text-balance text-caption text-3">{children}</p>;
}

/** Beside a label, in the size of a hint. */
export function Beside({ children }: { children: ReactNode }) {
  return <span className="text-right text-caption text-3 tabular-nums">{children}</span>;
}

/** What changes if the button beneath it is pressed. */
export function EffectBox({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-2 rounded-code bg-sunken px-4 py-3.5 text-label tabular-nums inset-ring inset-ring-line">
      {rows.map(({ name, value }) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-2">{name}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
