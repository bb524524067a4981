import { Monitor, Moon, Sun } from 'lucide-react';
import { readStored, removeStored, useStored, writeStored } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

function themeOf(stored: string | null | undefined): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function useTheme(): Theme {
  return themeOf(useStored('theme'));
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') removeStored('theme');
  else writeStored('theme', theme);
  showTheme();
}

/** The inline script in <head> does the same before the first paint. */
function showTheme(): void {
  const theme = themeOf(readStored('theme'));
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

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
