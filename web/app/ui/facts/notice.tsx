import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';

/** A form's refusal: the text to the letter, and the server's own reason beneath it in smaller type. */
export function ErrorNotice({ title, detail }: { title: string; detail?: string | undefined }) {
  return (
    <div role="alert" className="grid grid-cols-[20px_1fr] gap-x-2.5 gap-y-0.5 text-debit">
      <CircleAlert className="size-5" strokeWidth={1.75} aria-hidden="true" />
      <p className="text-control font-semibold">{title}</p>
      {detail && <p className="col-start-2 text-label text-2">{detail}</p>}
    </div>
  );
}

/** Something the reader should know that is nobody's fault. */
export function QuietNotice({ role, children }: { role?: 'alert' | 'status'; children: ReactNode }) {
  return (
    <div
      role={role}
      className="grid grid-cols-[20px_1fr] gap-2.5 rounded-code bg-sunken p-4 text-label text-2 inset-ring inset-ring-line"
    >
      <Info className="size-5" strokeWidth={1.75} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
