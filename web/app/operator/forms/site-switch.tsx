import type { switchpaymentmethod, switchwithdrawalmethod } from '@tallystick/contract/operator/methods';
import type { switchplan } from '@tallystick/contract/operator/plans';
import { useAct } from './act.ts';

interface SiteSwitchProps {
  call: typeof switchplan | typeof switchpaymentmethod | typeof switchwithdrawalmethod;
  of: { _id: string; active: boolean };
  name: string;
}

/**
 * Whether something is on the site. The word beside the switch says the same as its colour and its place. What is open
 * on a plan keeps its terms either way; one that is off takes in nothing new.
 */
export function SiteSwitch({ call, of: { _id: id, active: isOn }, name }: SiteSwitchProps) {
  const { busy, act } = useAct(call);
  // While the answer is on its way it stays where it is, and keeps the focus.
  const press = () =>
    busy ||
    act({ params: { id }, body: { active: !isOn } }, { done: `${name} is ${isOn ? 'off' : 'on'} the site` });
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={`${name} on the site`}
      aria-busy={busy}
      onClick={press}
      className="group inline-flex min-h-11 items-center gap-2.5 rounded-control pr-1.5 text-control aria-busy:cursor-progress aria-busy:opacity-70"
    >
      <span className="relative h-6.5 w-11 shrink-0 rounded-full bg-line-strong transition-colors duration-140 after:absolute after:top-[3px] after:left-[3px] after:size-5 after:rounded-full after:bg-white after:transition-[translate] after:duration-140 group-aria-checked:bg-accent group-aria-checked:after:translate-x-4.5" />
      <span aria-hidden="true" className="w-6 text-left">
        {isOn ? 'On' : 'Off'}
      </span>
    </button>
  );
}
