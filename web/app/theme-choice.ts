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
