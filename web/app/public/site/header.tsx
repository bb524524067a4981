import { ChevronRight } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { BrandLink } from '../../domain/page/brand-link.tsx';
import { MenuButton } from '../../domain/page/menu-button.tsx';
import { ButtonLink } from '../../ui/actions/button.tsx';

const pages = [
  { to: '/', name: 'Home' },
  { to: '/aboutus', name: 'About Us' },
  { to: '/contactus', name: 'Contact Us' },
  { to: '/privacy', name: 'Privacy Policy' },
];

/** With or without a slash at the end, which is how pages are built and how some links are written. */
function useIsCurrent(): (to: string) => boolean {
  const { pathname } = useLocation();
  return (to) => to === (pathname.replace(/\/$/, '') || '/');
}

export function SiteHeader() {
  const isCurrent = useIsCurrent();
  return (
    <header className="relative isolate z-10 h-20">
      <div className="h-full bg-bg">
        <div className="wrap grid h-full grid-cols-[1fr_auto] items-center tablet:grid-cols-[1fr_auto_1fr] tablet:gap-3">
          <BrandLink to="/" />
          <nav aria-label="Main" className="flex desktop:gap-1.5 max-tablet:hidden">
            {pages.map(({ to, name }) => (
              <Link
                key={to}
                to={to}
                aria-current={isCurrent(to) ? 'page' : undefined}
                className="flex h-11 items-center rounded-small px-2 text-control font-medium text-2 hover:bg-sunken hover:text-1 desktop:px-3.5 aria-[current=page]:font-semibold aria-[current=page]:text-1"
              >
                {name}
              </Link>
            ))}
          </nav>
          <div className="flex justify-end gap-1.5 max-tablet:hidden">
            <ButtonLink to="/login" look="quiet" className="visitor-only">
              Log In
            </ButtonLink>
            <ButtonLink to="/signup" className="visitor-only">
              Sign Up
            </ButtonLink>
            <ButtonLink to="/dashboard" className="member-only">
              Dashboard
            </ButtonLink>
          </div>
          <PhoneMenu />
        </div>
      </div>
    </header>
  );
}

function PhoneMenu() {
  const isCurrent = useIsCurrent();
  return (
    <MenuButton id="phone-menu" className="-mr-2" sheetClass="top-19 p-4">
      <div className="grid grid-cols-2 gap-2.5">
        <ButtonLink to="/login" look="secondary" className="visitor-only">
          Log In
        </ButtonLink>
        <ButtonLink to="/signup" className="visitor-only">
          Sign Up
        </ButtonLink>
        <ButtonLink to="/dashboard" className="member-only col-span-2">
          Dashboard
        </ButtonLink>
      </div>
      <nav aria-label="Main" className="mt-3 border-t border-line pt-1.5">
        <ul className="divide-y divide-line">
          {pages.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={isCurrent(to) ? 'page' : undefined}
                className="flex h-13 items-center justify-between px-1.5 text-large font-medium aria-[current=page]:font-brand"
              >
                {name}
                <ChevronRight className="size-5 text-3" strokeWidth={1.75} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </MenuButton>
  );
}
