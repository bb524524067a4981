import { type DeviceKind, readUserAgent } from '@tallystick/contract/device';

/** `Firefox 145 on Linux`. What a program calls itself may be anything; then it is named by its first word. */
export function deviceOf(useragent: string): { name: string; kind: DeviceKind } {
  const { browser, version, system, kind } = readUserAgent(useragent);
  const shown = browser && version ? `${browser} ${version}` : browser;
  if (shown) return { name: system ? `${shown} on ${system}` : shown, kind };
  if (system) return { name: `A browser on ${system}`, kind };
  const word = /^[\w.-]{1,40}/.exec(useragent)?.[0];
  return { name: word ?? 'Unknown device', kind };
}
