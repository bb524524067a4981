import type { ReactNode } from 'react';

/** The title of an inner page and the sentence beneath it. */
export function PageIntro({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="max-w-[15em] pt-8 text-page tablet:pt-18">{title}</h1>
      <p className="mt-3.5 max-w-[62ch] text-lede text-2 tablet:mt-5">{children}</p>
    </>
  );
}

/** Running text of a page of words. */
export function Prose({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`prose ${className}`}>{children}</div>;
}

/** What something is, and what it is for, as a list between hairlines. */
export function Facts({ facts }: { facts: readonly (readonly [term: string, text: string])[] }) {
  return (
    <dl className="mt-5 border-t border-line text-body">
      {facts.map(([term, text]) => (
        <div
          key={term}
          className="grid gap-x-5 gap-y-0.5 border-b border-line py-[13px] tablet:grid-cols-[minmax(0,0.8fr)_minmax(0,1fr)]"
        >
          <dt className="font-semibold text-1">{term}</dt>
          <dd className="text-2">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
