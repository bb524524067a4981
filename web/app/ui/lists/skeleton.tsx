/** Keeps the place of something that is on its way, in the size it will have. It shows itself after 200 ms only. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />;
}
