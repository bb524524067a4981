import { Link } from 'react-router';
import { brand } from '../../brand.ts';
import { BrandMark } from '../../ui/brand/brand-mark.tsx';

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
