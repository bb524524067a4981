import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';

interface FiguresProps {
  label: string;
  /** Undefined keeps the place of a figure that is on its way. */
  figures: readonly { name: string; value: ReactNode | undefined }[];
}

/** Four figures side by side, one under the other on a phone. */
export function Figures({ label, figures }: FiguresProps) {
  return (
    <Card aria-label={label} className="overflow-hidden">
      <dl className="-mt-px -ml-px grid tabular-nums tablet:grid-cols-2 desktop:grid-cols-4">
        {figures.map(({ name, value }) => (
          <div
            key={name}
            className="flex min-w-0 items-baseline justify-between gap-4 border-t border-l border-line px-5 py-3 tablet:block tablet:px-6 tablet:py-5"
          >
            <dt className="text-label text-2">{name}</dt>
            <dd className="text-large font-semibold tracking-[-0.02em] max-tablet:text-right tablet:text-[1.375rem]/7">
              {value ?? <Skeleton className="my-1.5 h-4 w-28" />}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
