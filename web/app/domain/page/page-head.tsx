import type { ReactNode } from 'react';

interface PageHeadProps {
  title: string;
  /** One sentence under the title. */
  note?: ReactNode;
  /** Stands at the right of the title, on a phone too. */
  beside?: ReactNode;
  /** What can be done or chosen here: at the right of the title, on a phone beneath it. */
  children?: ReactNode;
}

export function PageHead({ title, note, beside, children }: PageHeadProps) {
  return (
    <div
      className={`flex min-w-0 items-center justify-between ${beside ? 'gap-4 tablet:gap-6' : 'flex-wrap gap-x-6 gap-y-3.5'}`}
    >
      {/* As wide before the sentence is known as after, so that what stands beside it keeps its line. */}
      <div className={`min-w-0 ${beside ? '' : 'grow basis-72'}`}>
        <h1 className="text-[1.75rem]/[2.125rem] tracking-[-0.03em] wrap-anywhere tablet:text-[2rem]/[2.375rem]">
          {title}
        </h1>
        {note !== undefined && <p className="mt-0.5 min-h-5.5 text-control text-2 tabular-nums">{note}</p>}
      </div>
      {beside}
      {children && <div className="flex min-w-0 flex-wrap gap-2 max-tablet:w-full">{children}</div>}
    </div>
  );
}
