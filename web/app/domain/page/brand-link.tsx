import { Link } from 'react-router';
import { brand } from '../../brand.ts';

export function BrandLink({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2.5 justify-self-start text-brand font-brand"
    >
      <BrandMark />
      {brand.name}
    </Link>
  );
}

/** Two halves whose notches meet. */
export function BrandMark() {
  return (
    <svg
      viewBox="0 0 28 28"
      className="size-7 shrink-0 text-accent-text"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M4 5.5A2.5 2.5 0 0 1 6.5 3H13v4.5l-3.5 3 3.5 3v1l-3.5 3 3.5 3V25H6.5A2.5 2.5 0 0 1 4 22.5Z" />
      <path
        opacity=".55"
        d="M15 1h6.5A2.5 2.5 0 0 1 24 3.5v17a2.5 2.5 0 0 1-2.5 2.5H15v-2.5l3.5-3-3.5-3v-1l3.5-3-3.5-3Z"
      />
    </svg>
  );
}
