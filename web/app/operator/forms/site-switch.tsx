import type { switchpaymentmethod, switchwithdrawalmethod } from '@tallystick/contract/operator/methods';
import type { switchplan } from '@tallystick/contract/operator/plans';
import { Switch } from '../../ui/forms/switch.tsx';
import { useAct } from './act.ts';

interface SiteSwitchProps {
  call: typeof switchplan | typeof switchpaymentmethod | typeof switchwithdrawalmethod;
  of: { _id: string; active: boolean };
  name: string;
}

/** Whether something is on the site. What is open on a plan keeps its terms either way; one that is off takes in nothing new. */
export function SiteSwitch({ call, of: { _id: id, active: isOn }, name }: SiteSwitchProps) {
  const { busy, act } = useAct(call);
  const press = () =>
    act({ params: { id }, body: { active: !isOn } }, { done: `${name} is ${isOn ? 'off' : 'on'} the site` });
  return <Switch label={`${name} on the site`} isOn={isOn} busy={busy} onPress={press} />;
}
