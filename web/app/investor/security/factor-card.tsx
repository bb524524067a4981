import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/layout/card.tsx';

interface FactorCardProps {
  title: string;
  /** What it is good for. */
  text: string;
  /** At the title's right. */
  beside?: ReactNode;
  /** What can be done, at the card's foot. */
  foot?: ReactNode;
  children?: ReactNode;
}

export function FactorCard({ title, text, beside, foot, children }: FactorCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="tabular-nums">
      <div className="px-5 pt-5 pb-3 tablet:px-7 tablet:pt-6 tablet:pb-3.5">
        <div className="flex items-center justify-between gap-3">
          <h2 id={id} className="text-body/5.5 tracking-[-0.01em]">
            {title}
          </h2>
          {beside}
        </div>
        <p className="mt-1 text-label text-2">{text}</p>
      </div>
      {children}
      {foot && (
        <div className="flex flex-wrap items-center gap-2.5 border-t border-line px-5 py-4 tablet:px-7">
          {foot}
        </div>
      )}
    </Card>
  );
}
