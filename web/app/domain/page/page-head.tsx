import type { ReactNode } from 'react';

interface PageHeadProps {
  title: string;
  /** One line under the title. */
  note?: ReactNode;
  /** At the right of the title. */
  children?: ReactNode;
}

export function PageHead({ title, note, children }: PageHeadProps) {
  return (
    <div className="flex min-w-0 items-center justify-between gap-4 tablet:gap-6">
      <div className="min-w-0">
        <h1 className="text-[1.75rem]/[2.125rem] tracking-[-0.03em] tablet:text-[2rem]/[2.375rem]">
          {title}
        </h1>
        {note !== undefined && <p className="mt-0.5 min-h-5.5 text-control text-2 tabular-nums">{note}</p>}
      </div>
      {children}
    </div>
  );
}
