interface SampleChipProps {
  children?: string;
  className?: string;
}

/** Beside every value that waits for a real one. */
export function SampleChip({ children = 'Sample', className = '' }: SampleChipProps) {
  return (
    <span
      className={`inline-flex h-6 items-center rounded-[7px] border border-dashed border-line-strong px-2 text-[12px]/none font-label whitespace-nowrap text-2 ${className}`}
    >
      {children}
    </span>
  );
}
