/** Called once the app answers to events: what was pressed too early (`native/hold.ts`) is pressed now. */
export function pressHeld(): void {
  const held = window.releaseHeld?.();
  for (const button of held?.buttons ?? []) if (button.isConnected) button.click();
  if (held?.form?.[0].isConnected) held.form[0].requestSubmit(held.form[1]);
}
