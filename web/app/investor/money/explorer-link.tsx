import { ExternalLink } from 'lucide-react';

/** Where anyone can look a payment up, by the name of whoever shows it. */
export function ExplorerLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="textlink inline-flex min-h-6 items-center gap-1.5"
    >
      {new URL(href).host}
      <ExternalLink className="size-3.5" aria-hidden="true" />
      <span className="sr-only"> opens in a new tab</span>
    </a>
  );
}
