import type { ReactNode } from 'react';

/** The title of an inner page and the sentence beneath it. */
export function PageHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="max-w-[15em] pt-8 text-page tablet:pt-18">{title}</h1>
      <p className="mt-3.5 max-w-[62ch] text-lede text-2 tablet:mt-5">{children}</p>
    </>
  );
}
