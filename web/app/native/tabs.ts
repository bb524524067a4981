/** How far each key goes. A list that stands upright on wide screens is two by two on phones, so both ways count. */
const across: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const bothWays: Record<string, number> = { ...across, ArrowUp: -1, ArrowDown: 1 };

const tabsIn = (place: Element) => [...place.querySelectorAll<HTMLElement>('[role=tab]')];
const panelOf = (tab: Element) => document.getElementById(tab.getAttribute('aria-controls') ?? '');

/** In any list of tabs one is on the way of the Tab key; the arrows lead to the others and choose them. */
document.addEventListener('keydown', (event) => {
  const tab = (event.target as Element).closest<HTMLElement>('[role=tab]');
  const list = tab?.closest('[role=tablist]');
  if (!tab || !list) return;
  const tabs = tabsIn(list);
  const step = (list.ariaOrientation === 'vertical' ? bothWays : across)[event.key];
  const ends: Record<string, number> = { Home: 0, End: tabs.length - 1 };
  const target = step === undefined ? ends[event.key] : tabs.indexOf(tab) + step;
  if (target === undefined) return;
  event.preventDefault();
  const next = tabs[(target + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
});

/** Where all texts stand in the page, the chosen one is shown here; elsewhere the app draws it. */
function show(chosen: Element, place: Element): void {
  for (const tab of tabsIn(place)) {
    tab.setAttribute('aria-selected', String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    panelOf(tab)?.classList.toggle('hidden', tab !== chosen);
  }
}

/** The chosen text stands behind the # of the address, so that it can be linked to. */
document.addEventListener('click', (event) => {
  const tab = (event.target as Element).closest('[role=tab]');
  const place = tab?.closest('[data-tabs]');
  if (!tab || !place) return;
  event.preventDefault();
  show(tab, place);
  history.replaceState(history.state, '', `#${panelOf(tab)?.id}`);
});

function showNamed(): void {
  for (const place of document.querySelectorAll('[data-tabs]')) {
    const named = tabsIn(place).find((tab) => `#${panelOf(tab)?.id}` === location.hash);
    if (named) show(named, place);
  }
}
document.addEventListener('DOMContentLoaded', showNamed);
addEventListener('hashchange', showNamed);

export {};
