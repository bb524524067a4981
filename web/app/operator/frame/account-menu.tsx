import { KeyRound, LogOut, UserRound } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Link } from 'react-router';
import { timeOf } from '../../domain/dates.ts';
import { ThemeSwitch } from '../../theme.tsx';
import { useSignOut } from './sign-out.ts';
import { useWho, type Who } from './who.ts';

/** Who is signed in, until when, and the way out. A phone has the same in its menu. */
export function AccountMenu() {
  const who = useWho();
  return (
    <div className="max-tablet:hidden">
      <Popover.Root>
        <Popover.Trigger className="flex min-h-11 min-w-0 items-center gap-3 rounded-control pl-3 text-label text-on-ink-2 hover:text-on-ink">
          <span className="max-w-60 truncate">{who.operator.name}</span>
          <span className="grid size-9.5 shrink-0 place-items-center rounded-full bg-ink-2 text-on-ink">
            <UserRound className="size-5" strokeWidth={1.75} aria-hidden="true" />
          </span>
          <span className="sr-only">, account</span>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="end"
            sideOffset={8}
            aria-label="Account"
            className="z-20 w-72 animate-menu rounded-card bg-surface p-2 shadow-3 outline-none"
          >
            <AccountDetails who={who} />
            <AccountActions />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

export function AccountDetails({ who: { operator, recoverycodesleft, expiresat } }: { who: Who }) {
  return (
    <div className="grid gap-0.5 px-3 pt-2 pb-3 text-caption text-3">
      <p className="text-control font-semibold wrap-anywhere text-1">{operator.name}</p>
      <p className="wrap-anywhere">{operator.email}</p>
      <p className="mt-1.5 tabular-nums">
        Signed in until {timeOf(expiresat)}. {recoveryCodes(recoverycodesleft)}
      </p>
    </div>
  );
}

export function AccountActions() {
  const { busy, signOut } = useSignOut();
  return (
    <div className="grid justify-items-stretch border-t border-line pt-2 [&>button]:justify-start [&>button]:px-3">
      <Link
        to="/operator/account"
        className="flex min-h-11 items-center gap-2 rounded-control px-3 text-label text-2 hover:bg-sunken hover:text-1"
      >
        <KeyRound className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Your account
      </Link>
      <ThemeSwitch labelled />
      <button
        type="button"
        disabled={busy}
        onClick={signOut}
        className="flex min-h-11 items-center gap-2 rounded-control text-label text-2 hover:bg-sunken hover:text-1"
      >
        <LogOut className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Log out
      </button>
    </div>
  );
}

function recoveryCodes(left: number): string {
  if (left === 0) return 'No recovery code is left.';
  return left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`;
}
