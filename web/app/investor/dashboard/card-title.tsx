export function CardTitle({ children }: { children: string }) {
  return <h2 className="text-body/[22px] tracking-[-0.01em]">{children}</h2>;
}
