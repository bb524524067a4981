import type { OfferedPlan } from '@tallystick/contract/operator/plans';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useRef } from 'react';

interface MoveButtonsProps {
  plan: OfferedPlan;
  /** Its place now, from nought. */
  at: number;
  count: number;
  onMove: (plan: OfferedPlan, to: number) => void;
  /** For fingers. */
  isLarge?: boolean;
}

/** One place up or down. The row takes its buttons along, and whoever presses with the keyboard goes with them. */
export function MoveButtons({ plan, at, count, onMove, isLarge = false }: MoveButtonsProps) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  const pressed = useRef<'up' | 'down' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows when the place has changed
  useEffect(() => {
    if (!pressed.current) return;
    const [same, other] = pressed.current === 'up' ? [up, down] : [down, up];
    (same.current?.disabled ? other : same).current?.focus();
    pressed.current = null;
  }, [at]);

  const press = (way: 'up' | 'down') => {
    pressed.current = way;
    onMove(plan, way === 'up' ? at - 1 : at + 1);
  };
  const shape = isLarge ? 'size-11 inset-ring inset-ring-line-strong bg-surface' : 'h-6 w-7';
  const className = `grid ${shape} place-items-center rounded-small text-2 hover:bg-accent-tint hover:text-1 disabled:cursor-not-allowed disabled:bg-transparent disabled:text-3 disabled:opacity-40`;
  return (
    <span className={isLarge ? 'flex flex-none! gap-2' : 'grid'}>
      {[
        { way: 'up', Icon: ChevronUp, ref: up, isLast: at === 0 } as const,
        { way: 'down', Icon: ChevronDown, ref: down, isLast: at === count - 1 } as const,
      ].map(({ way, Icon, ref, isLast }) => (
        <button
          key={way}
          ref={ref}
          type="button"
          disabled={isLast}
          aria-label={`Move ${plan.planname} ${way}`}
          onClick={() => press(way)}
          className={className}
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      ))}
    </span>
  );
}
