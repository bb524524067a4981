/** '5 Nov 2026, 14:32 UTC' */
export function utcTime(instant: string): string {
  const words = new Date(instant).toUTCString();
  return `${words.slice(5, 16).replace(/^0/, '')}, ${words.slice(17, 22)} UTC`;
}
