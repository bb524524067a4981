import { LogOut } from 'lucide-react';
import { BrandLink } from '../domain/brand-link.tsx';
import { ThemeSwitch } from '../theme-switch.tsx';
import { Button } from '../ui/button.tsx';
import { signOut } from './sign-out.ts';

export function TopBar({ fullname }: { fullname: string }) {
  return (
    <header className="sticky top-0 z-10 flex h-16 items-center gap-1.5 border-b border-line bg-surface pr-2 pl-5 tablet:pr-7 tablet:pl-6">
      <BrandLink to="/dashboard" />
      <p className="ml-auto max-w-[24ch] truncate text-label text-2 max-tablet:hidden">{fullname}</p>
      <div className="flex items-center max-tablet:ml-auto">
        <ThemeSwitch />
        <Button look="quiet" className="px-3" onClick={signOut}>
          <LogOut className="size-4" aria-hidden="true" />
          Logout
        </Button>
      </div>
    </header>
  );
}
