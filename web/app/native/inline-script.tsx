import { useHydrated } from '../hydrated.ts';

/**
 * A constant of ours, allowed by its hash. It has run before the app takes over the page, which needs it no more. The
 * build makes what may come `later` than the page a file of its own.
 */
export function InlineScript({ text, later }: { text: string; later?: boolean }) {
  if (useHydrated()) return null;
  return (
    <script suppressHydrationWarning data-later={later}>
      {text}
    </script>
  );
}
