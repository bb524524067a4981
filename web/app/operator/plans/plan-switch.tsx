import { type OfferedPlan, switchplan } from '@tallystick/contract/operator/plans';
import { useAct } from '../act.ts';
import { Switch } from '../switch.tsx';

/** What is open keeps its terms either way; a plan that is off takes in nothing new. */
export function PlanSwitch({ plan }: { plan: OfferedPlan }) {
  const { busy, act } = useAct(switchplan);
  return (
    <Switch
      label={`${plan.planname} on the site`}
      isOn={plan.active}
      busy={busy}
      onSwitch={(active) =>
        act(
          { params: { id: plan._id }, body: { active } },
          { done: active ? `${plan.planname} is on the site` : `${plan.planname} is off the site` },
        )
      }
    />
  );
}
