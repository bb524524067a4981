import { Link } from 'react-router';
import { brand } from '../../brand.ts';
import { BrandMark } from '../../domain/page/brand-link.tsx';

/** On ink and with its tag, so that the console can never be taken for the investor's area. */
export function ConsoleBrand({ to }: { to: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 tablet:gap-3.5">
      <Link
        to={to}
        className="inline-flex min-h-11 items-center gap-2.5 text-brand font-brand text-on-ink [&_svg]:text-hazel-hi"
      >
        <BrandMark />
        {brand.name}
      </Link>
      <span className="rounded-[7px] px-2 py-1 text-[0.75rem]/4 font-label whitespace-nowrap text-on-ink inset-ring inset-ring-ink-line max-[350px]:hidden tablet:px-2.5 tablet:py-[5px] tablet:text-caption/4">
        Operator console
      </span>
    </div>
  );
}
