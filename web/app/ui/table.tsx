import type { ComponentProps, ReactNode } from 'react';

export interface Column {
  name: string;
  /** Numbers stand at the right, one under the other. */
  isNumber?: boolean;
  className?: string;
}

interface TableProps {
  /** Says what the table lists, for those who cannot see what stands around it. */
  caption: string;
  columns: readonly Column[];
  children: ReactNode;
}

/** Five columns or more, one row each: it scrolls inside its card where the screen is too narrow for it. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    // Relative, so that what is hidden for screen readers only scrolls with its row instead of widening the page.
    <div className="relative overflow-x-auto">
      <table className="w-full text-left text-control/5 tabular-nums max-desktop:whitespace-nowrap">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map(({ name, isNumber, className = '' }) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-3 text-caption font-label whitespace-nowrap text-3 first:pl-6 last:pr-6 ${isNumber ? 'text-right' : ''} ${className}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Row(props: ComponentProps<'tr'>) {
  return <tr className="border-line not-last:border-b hover:bg-sunken" {...props} />;
}

interface CellProps {
  isNumber?: boolean;
  /** The cell that names its row. */
  isHead?: boolean;
  className?: string;
  children?: ReactNode;
}

export function Cell({ isNumber = false, isHead = false, className = '', children }: CellProps) {
  const shape = `h-18 px-3 font-normal first:pl-6 last:pr-6 ${isNumber ? 'text-right' : ''} ${className}`;
  if (!isHead) return <td className={shape}>{children}</td>;
  return (
    <th scope="row" className={shape}>
      {children}
    </th>
  );
}

/** The second line of a cell. */
export function Small({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <small className={`block text-caption text-3 ${className}`}>{children}</small>;
}
