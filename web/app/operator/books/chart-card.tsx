import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/layout/card.tsx';

interface ChartCardProps {
  title: string;
  summary: string;
  /** Without anything to show the summary says so, and that is all. */
  isEmpty: boolean;
  legend: readonly { name: string; colour: string }[];
  isTable: boolean;
  onTable: (isTable: boolean) => void;
  chart: ReactNode;
  table: ReactNode;
}

/** A picture, or the same as a table: whoever cannot use the one has the other. */
export function ChartCard(props: ChartCardProps) {
  const { title, summary, isEmpty, legend, isTable, onTable, chart, table } = props;
  const id = useId();
  if (isEmpty) {
    return (
      <Card aria-label={title} className="px-5 py-5 tablet:px-7 tablet:py-6">
        <h2 className="text-body tracking-[-0.01em]">{title}</h2>
        <p className="text-control text-2">{summary}</p>
      </Card>
    );
  }
  return (
    <Card aria-label={title} className="overflow-hidden tabular-nums">
      <div className="flex flex-wrap justify-between gap-x-5 gap-y-2.5 px-5 pt-5 tablet:px-7 tablet:pt-6">
        <div className="min-w-0">
          <h2 className="text-body tracking-[-0.01em]">{title}</h2>
          <p className="text-control text-2">{summary}</p>
        </div>
        <div className="flex flex-wrap items-center gap-x-5 self-start text-caption text-2">
          {!isTable &&
            legend.map(({ name, colour }) => (
              <span key={name} className="flex items-center gap-2">
                <i aria-hidden="true" className={`size-2.5 rounded-[3px] ${colour}`} />
                {name}
              </span>
            ))}
          <button
            type="button"
            aria-pressed={isTable}
            aria-controls={id}
            onClick={() => onTable(!isTable)}
            className="min-h-6 font-semibold text-accent-text hover:underline"
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </div>
      </div>
      <div id={id}>
        {isTable ? (
          <div className="mt-4 border-t border-line">{table}</div>
        ) : (
          <div className="px-4 pt-4 pb-3.5 tablet:px-7 tablet:pb-4.5">{chart}</div>
        )}
      </div>
    </Card>
  );
}
