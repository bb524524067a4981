import { AccountMenu } from './account-menu.tsx';
import { ConsoleBrand } from './console-brand.tsx';
import { PhoneMenu } from './phone-nav.tsx';

export function TopBar() {
  return (
    <header className="on-ink sticky top-0 isolate z-15 h-16">
      <div className="flex h-full items-center justify-between gap-3 bg-ink pr-2 pl-5 text-on-ink tablet:pr-6 tablet:pl-6">
        <ConsoleBrand to="/operator" />
        <AccountMenu />
        <PhoneMenu />
      </div>
    </header>
  );
}
