let focused: HTMLElement | null = null;
let menu: HTMLElement | null = null;

/** Said while the frame ahead of the app still stands: what has the focus in it, and its menu, if that is open. */
export function noteFrame(frame: HTMLElement | null): void {
  const { activeElement } = document;
  focused = frame?.contains(activeElement) ? (activeElement as HTMLElement) : null;
  menu = frame?.querySelector<HTMLElement>('[data-menu][aria-expanded=true]') ?? null;
}

/**
 * Called once the app answers to events: what was pressed too early (`native/hold.ts`) is pressed now. The frame ahead of the
 * app answered to nothing but its menu, so whoever pressed one button after the other in it means the last.
 */
export function takeOver(): void {
  const held = window.releaseHeld?.();
  if (menu) inPlaceOf(menu)?.click();
  if (focused) inPlaceOf(focused)?.focus({ preventScroll: true });
  const { there = [], gone = [] } = Object.groupBy(held?.buttons ?? [], ({ isConnected }) =>
    isConnected ? 'there' : 'gone',
  );
  for (const button of there) button.click();
  const last = gone.at(-1);
  if (last) inPlaceOf(last)?.click();
  if (held?.form?.[0].isConnected) held.form[0].requestSubmit(held.form[1]);
  focused = null;
  menu = null;
}

/** The app has drawn the same: what leads to the same place, or has the same words. */
function inPlaceOf(element: HTMLElement): HTMLElement | undefined {
  const [words, place] = [wordsOf(element), element.getAttribute('href')];
  return [...document.querySelectorAll<HTMLElement>(element.localName)].find(
    (one) => wordsOf(one) === words && one.getAttribute('href') === place && one.checkVisibility(),
  );
}

const wordsOf = (element: HTMLElement) => element.ariaLabel || element.textContent;
