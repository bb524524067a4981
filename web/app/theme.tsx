import { Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, type Theme, useTheme } from './theme-choice.ts';

const order: { theme: Theme; name: string; Icon: typeof Sun }[] = [
  { theme: 'system', name: 'System', Icon: Monitor },
  { theme: 'light', name: 'Light', Icon: Sun },
  { theme: 'dark', name: 'Dark', Icon: Moon },
];

/** One button that goes round: as the system, light, dark. */
export function ThemeSwitch({ labelled = false }: { labelled?: boolean }) {
  const theme = useTheme();
  const at = order.findIndex((entry) => entry.theme === theme);
  const [now, next] = [order[at], order[(at + 1) % order.length]];
  if (!now || !next) return null;
  return (
    <button
      type="button"
      onClick={() => chooseTheme(next.theme)}
      className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2.5 text-label text-2 hover:bg-sunken hover:text-1"
    >
      <now.Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      <span className={labelled ? '' : 'sr-only'}>Theme: {now.name}</span>
    </button>
  );
}
