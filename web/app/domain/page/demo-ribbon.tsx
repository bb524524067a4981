import { ExternalLink, FlaskConical } from 'lucide-react';

/** In every page's markup; the stylesheet shows it where the server says that this is a demo. */
export function DemoRibbon() {
  return (
    <aside
      aria-label="Demo"
      className="demo-only relative z-20 flex min-h-9 items-center gap-2 bg-accent-tint px-4 text-caption tablet:justify-center"
    >
      <FlaskConical className="size-4 shrink-0 text-accent-text" aria-hidden="true" />
      <p>
        <b className="font-brand">Demo.</b>{' '}
        <span className="max-tablet:hidden">Everything here is sample data and no real money moves.</span>
        <span className="tablet:hidden">Sample data, no real money.</span>
      </p>
      {/* Beside, because whoever waits for a code must not lose the form that asks for it. */}
      <a
        href="/dev/inbox"
        target="_blank"
        rel="noopener"
        className="inline-flex items-center gap-1 font-semibold text-accent-text underline underline-offset-3 max-tablet:ml-auto max-tablet:py-3 tablet:ml-2 tablet:min-h-9"
      >
        <span className="max-tablet:hidden">Open the development inbox</span>
        <span className="tablet:hidden">Inbox</span>
        <span className="sr-only"> (opens in a new tab)</span>
        <ExternalLink className="size-3.5" strokeWidth={1.75} aria-hidden="true" />
      </a>
    </aside>
  );
}
