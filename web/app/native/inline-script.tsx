import { useHydrated } from '../hydrated.ts';

/** A constant of ours, allowed by its hash. It has run before the app takes over the page, which needs it no more. */
export function InlineScript({ text }: { text: string }) {
  if (useHydrated()) return null;
  return <script suppressHydrationWarning>{text}</script>;
}
