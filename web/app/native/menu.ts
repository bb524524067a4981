/**
 * The phone's menu, as `menu-button.tsx` draws it. Starts closed; each press of the button flips it. Esc, the scrim and
 * a chosen link close it, and so do a way back inside the app and the Tab key behind its last row: what comes then would
 * have the focus under the scrim.
 */
function set(button: HTMLElement, open: boolean): void {
  button.setAttribute('aria-expanded', String(open));
  const sheet = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (sheet) sheet.hidden = !open;
}

const openOne = () => document.querySelector<HTMLElement>('[data-menu][aria-expanded=true]');

function close(): HTMLElement | null {
  const button = openOne();
  if (button) set(button, false);
  return button;
}

// Before the page's own listeners: in the moment in which React takes a page over it keeps what is pressed from everybody below.
const first = true;

document.addEventListener(
  'click',
  (event) => {
    const pressed = event.target as Element;
    const button = pressed.closest<HTMLElement>('[data-menu]');
    if (button) {
      event.preventDefault();
      set(button, button !== openOne());
    } else if (pressed.closest('a, [data-scrim]')) close();
  },
  first,
);

document.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape') close()?.focus();
  },
  first,
);

document.addEventListener('focusin', (event) => {
  if (!openOne()?.parentElement?.contains(event.target as Node)) close();
});

addEventListener('popstate', close);

export {};
