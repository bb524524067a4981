import { Download } from 'lucide-react';

/** A list's file with the wishes of the address, so that it holds what the screen shows, all its pages. */
export function csvOf(path: string, wishes: Record<string, string>): string {
  const asked = new URLSearchParams(wishes).toString();
  return `${path}/export.csv${asked && `?${asked}`}`;
}

/** The browser brings its session cookie, so a plain link is enough to save the file. */
export function ExportLink({ href, isIcon = false }: { href: string; isIcon?: boolean }) {
  return (
    <a
      href={href}
      download
      className={`inline-flex min-h-11 shrink-0 items-center justify-center gap-2 rounded-control text-control font-semibold whitespace-nowrap ${isIcon ? 'min-w-11 text-2 hover:bg-surface hover:text-1' : 'px-[18px] hover:bg-sunken'}`}
    >
      <Download className={isIcon ? 'size-5' : 'size-4'} strokeWidth={isIcon ? 1.75 : 2} aria-hidden="true" />
      <span className={isIcon ? 'sr-only' : ''}>Export CSV</span>
    </a>
  );
}
