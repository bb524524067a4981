import { type OfferedPlan, orderplans } from '@tallystick/contract/operator/plans';
import { useState } from 'react';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { useAct } from '../forms/act.ts';

/** The plans in the order that was just wished for, until the server answers with it. */
export function useOrder(plans: readonly OfferedPlan[]) {
  const [wish, setWish] = useState<readonly string[] | null>(null);
  const [said, setSaid] = useState('');
  const { busy, act } = useAct(orderplans);
  const shown = inOrder(plans, wish);
  const ids = shown.map(({ _id }) => _id);

  // The server's order is the wished one: from here on it decides again.
  const saved = plans.map(({ _id }) => _id);
  if (wish && !busy && isSameOrder(wish, saved)) setWish(null);

  function move({ _id, planname }: OfferedPlan, to: number) {
    const next = moved(ids, _id, to);
    if (busy || isSameOrder(next, ids)) return;
    setWish(next);
    setSaid(`${planname} is now ${next.indexOf(_id) + 1} of ${next.length}.`);
    void act(
      { body: { ids: next } },
      {
        done: 'Order saved',
        onRefused: (reason) => {
          setWish(null);
          setSaid('');
          toastFailure('The order was not changed', reason);
        },
      },
    );
  }

  return { shown, said, move };
}

/** The same names, one of them moved to another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((other) => other !== id);
  const place = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

/** Things in the wished order; what the wish does not know keeps its place at the end. */
export function inOrder<Thing extends { _id: string }>(
  things: readonly Thing[],
  wish: readonly string[] | null,
): readonly Thing[] {
  if (!wish) return things;
  const place = ({ _id }: Thing) => {
    const at = wish.indexOf(_id);
    return at < 0 ? wish.length : at;
  };
  return things.toSorted((one, other) => place(one) - place(other));
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
