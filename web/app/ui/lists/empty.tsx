import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../actions/button.tsx';
import { Stick } from '../brand/stick.tsx';

interface EmptyProps {
  title: string;
  text: string;
  /** The one button that leads on. */
  children?: ReactNode;
}

/** Nothing is there yet: an un-notched stick, and what to do about it. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className="grid justify-items-center px-5 py-9 text-center">
      <svg viewBox="0 0 160 44" className="mb-3.5 h-11 w-40" aria-hidden="true">
        <Stick
          y={2}
          half={18}
          gap={4}
          upperEnd={160}
          lowerEnd={128}
          notchWidth={0}
          notchDepth={0}
          notches={[]}
        />
      </svg>
      <p className="font-semibold">{title}</p>
      <p className="mt-0.5 max-w-[44ch] text-control text-2">{text}</p>
      {children && <div className="mt-4">{children}</div>}
    </div>
  );
}

/** There is something, but nothing that was asked for. */
export function NoHits({ title, text, onClear }: { title: string; text: string; onClear: () => void }) {
  return (
    <div className="grid justify-items-center px-5 py-9 text-center">
      <p className="font-semibold">{title}</p>
      <p className="mt-0.5 max-w-[44ch] text-control text-2">{text}</p>
      <Button className="mt-4" onClick={onClear}>
        Clear search
      </Button>
    </div>
  );
}

/** A part of the screen did not come. The rest stands, and this part can be asked for again. */
export function Failed({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-end gap-2.5 rounded-code bg-sunken py-2.5 pr-2.5 pl-4 text-label text-2 inset-ring inset-ring-line"
    >
      <Info className="size-5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <p className="min-w-0 flex-1">{children}</p>
      <Button className="text-label" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
