const shownMs = 2_000;

/** A button with `data-copy` puts the text that stands beside it on the clipboard, and says whether that worked. */
export function copyOnPress(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-copy]') : null;
    const text = button?.parentElement?.querySelector('[data-text]')?.textContent;
    const said = button?.querySelector('[role="status"]');
    if (!said || !text) return;
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = 'Copied';
    } catch {
      said.textContent = 'Select it by hand';
    }
    setTimeout(() => said.replaceChildren(), shownMs);
  });
}
