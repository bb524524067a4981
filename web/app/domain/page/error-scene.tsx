import type { ReactNode } from 'react';

interface ErrorSceneProps {
  title: string;
  text: string;
  /** SVG content on a 520 × 300 ground. */
  art: ReactNode;
  /** The buttons. */
  children: ReactNode;
  below?: ReactNode;
}

/** The shape of the not-found page and of the crash page: words at the left, broken wood at the right. */
export function ErrorScene({ title, text, art, children, below }: ErrorSceneProps) {
  return (
    <div className="wrap grid items-center gap-9 pt-6 tablet:min-h-[560px] tablet:grid-cols-2 tablet:gap-10 tablet:pt-12 desktop:gap-18">
      <div>
        <h1 className="text-error">{title}</h1>
        <p className="mt-3.5 max-w-[46ch] text-lede text-2 tablet:mt-[18px]">{text}</p>
        <div className="mt-8 flex flex-wrap gap-3 max-tablet:*:w-full">{children}</div>
        {below}
      </div>
      <svg viewBox="0 0 520 300" className="block w-full max-tablet:order-first" aria-hidden="true">
        <clipPath id="error-scene">
          <rect width="520" height="300" rx="24" />
        </clipPath>
        <g clipPath="url(#error-scene)">
          <rect width="520" height="300" fill="var(--ink)" />
          {art}
        </g>
      </svg>
    </div>
  );
}
