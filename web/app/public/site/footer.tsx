import { Info } from 'lucide-react';
import { Link } from 'react-router';
import { brand } from '../../brand.ts';
import { BrandLink } from '../../domain/page/brand-link.tsx';
import { ThemeSwitch } from '../../theme.tsx';

const columns = [
  {
    title: 'Account',
    links: [
      { to: '/signup', name: 'Signup' },
      { to: '/login', name: 'Login' },
    ],
  },
  {
    title: 'Community',
    links: [
      { to: '/', name: 'Home' },
      { to: '/privacy', name: 'Privacy' },
    ],
  },
  {
    title: 'Contact',
    links: [
      { to: '/aboutus', name: 'About Us' },
      { to: '/contactus', name: 'Contact Us' },
    ],
  },
];

export function SiteFooter() {
  return (
    <footer className="mt-18 border-t border-line bg-canvas pt-11 pb-8 tablet:mt-28 tablet:pt-16 tablet:pb-10">
      <div className="wrap">
        <div className="grid grid-cols-[repeat(3,auto)] justify-between gap-x-3 gap-y-7 tablet:grid-cols-[1.8fr_1fr_1fr_1fr] tablet:gap-10">
          <div className="max-tablet:col-span-full">
            <BrandLink to="/" />
            <p className="mt-1.5 max-w-[30ch] text-control text-2">{brand.line}</p>
          </div>
          {columns.map((column) => (
            <nav key={column.title} aria-label={column.title}>
              <h2 className="text-label">{column.title}</h2>
              <ul className="mt-1">
                {column.links.map(({ to, name }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="flex min-h-11 items-center text-control text-2 hover:text-1 tablet:min-h-9"
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <div className="mt-8 grid grid-cols-[20px_1fr] gap-3 border-t border-line pt-6 text-label/[22px] text-2 tablet:mt-12">
          <Info className="mt-px size-5" strokeWidth={1.75} aria-hidden="true" />
          <p>
            Crypto assets are volatile and you can lose money, including all of it. No return is certain, and
            past results do not predict future ones. Invest only what you can afford to leave for the full
            term.
          </p>
        </div>
        <div className="mt-3 flex items-center justify-between gap-4">
          <p className="flex flex-wrap items-center gap-x-4 text-caption text-3">
            © 2026 {brand.name}
            <Link
              to="/proof"
              className="inline-flex min-h-11 items-center text-control text-2 hover:text-1 tablet:min-h-9"
            >
              Proof
            </Link>
          </p>
          <ThemeSwitch labelled />
        </div>
      </div>
    </footer>
  );
}
