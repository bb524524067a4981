import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

/** A real border instead of an inner shadow: what scrolls inside cannot paint over it. */
export function Card({ className = '', ...rest }: ComponentProps<'section'>) {
  return <section className={`min-w-0 rounded-card border border-line bg-surface ${className}`} {...rest} />;
}

/** The square before a row that says at a glance what kind of thing it is. */
export function RowIcon({ Icon }: { Icon: LucideIcon }) {
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-2 inset-ring inset-ring-line">
      <Icon className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
    </span>
  );
}

export function CardTitle({ children }: { children: string }) {
  return <h2 className="text-body/[22px] tracking-[-0.01em]">{children}</h2>;
}
