import { type OfferedPlan, orderplans } from '@tallystick/contract/operator/plans';
import { useState } from 'react';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { useAct } from '../act.ts';
import { inOrder, isSameOrder, moved } from './order.ts';

/** The plans in the order that was just wished for, until the server answers with it. */
export function useOrder(plans: readonly OfferedPlan[]) {
  const [wish, setWish] = useState<readonly string[] | null>(null);
  const [said, setSaid] = useState('');
  const { busy, act } = useAct(orderplans);
  const shown = inOrder(plans, wish);
  const ids = shown.map(({ _id }) => _id);

  // The server's order is the wished one: from here on it decides again.
  if (
    wish &&
    !busy &&
    isSameOrder(
      wish,
      plans.map(({ _id }) => _id),
    )
  )
    setWish(null);

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

  return { shown, said, busy, move };
}
