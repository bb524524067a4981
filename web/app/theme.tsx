import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { onStored, removeStored, writeStored } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

/** What <html> says, which is true even where nothing can be stored. */
export function shownTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function showTheme(stored: string | null): void {
  const chosen = stored === 'light' || stored === 'dark' ? stored : undefined;
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
  // Around the page, too: a phone's bars take its colour.
  for (const colour of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
    const { scheme } = colour.dataset;
    colour.media = chosen ? (chosen === scheme ? 'all' : 'not all') : `(prefers-color-scheme: ${scheme})`;
  }
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') removeStored('theme');
  else writeStored('theme', theme);
}

export function useTheme(): Theme {
  return useSyncExternalStore(onStored, shownTheme, () => 'system');
}

const themes = [
  { name: 'System', Icon: Monitor, className: 'theme-system' },
  { name: 'Light', Icon: Sun, className: 'theme-light' },
  { name: 'Dark', Icon: Moon, className: 'theme-dark' },
];

/** One button that goes round: as the system, light, dark. `native/remembered.ts` answers to it. */
export function ThemeSwitch({ labelled = false }: { labelled?: boolean }) {
  return (
    <button
      type="button"
      data-theme-switch
      className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2.5 text-label text-2 hover:bg-sunken hover:text-1 noscript:hidden"
    >
      {themes.map(({ name, Icon, className }) => (
        <span key={name} className={className}>
          <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
          <span className={labelled ? '' : 'sr-only'}>Theme: {name}</span>
        </span>
      ))}
    </button>
  );
}
