import { parseSession, readStored } from '../storage.ts';
import { chooseTheme, shownTheme, showTheme, type Theme } from '../theme.tsx';

/**
 * Writes into <html> what the browser remembers, before anything is drawn and whenever it changes, here or in another
 * tab: the theme, and whether somebody is signed in. Markup for all cases stands in the page, and the stylesheet shows
 * one of them.
 */
const shown: Record<string, (stored: string | null) => void> = {
  theme: showTheme,
  userdata: (stored) =>
    document.documentElement.toggleAttribute('data-session', parseSession(stored) !== null),
};

function showAll(): void {
  for (const [key, show] of Object.entries(shown)) show(readStored(key as 'theme' | 'userdata'));
}

showAll();
addEventListener('storage', ({ key, newValue }) => (key === null ? showAll() : shown[key]?.(newValue)));

/** A page that the browser kept, for the way back to it, heard nothing of what changed on others: it is told now. */
addEventListener('pageshow', ({ persisted }) => persisted && dispatchEvent(new StorageEvent('storage')));

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** One button that goes round. */
document.addEventListener('click', (event) => {
  if (!(event.target as Element).closest('[data-theme-switch]')) return;
  event.preventDefault();
  chooseTheme(next[shownTheme()]);
});
