export interface DeviceName {
  name: string;
  kind: 'computer' | 'phone' | 'tablet' | 'program';
}

/** The order matters: nearly every browser also claims to be the ones further down. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string, DeviceName['kind']][] = [
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\b(iPhone|iPod)\b/, 'iPhone', 'phone'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b.*\bTablet\b|\bAndroid\b(?!.*\b(Mobile|TV)\b)/, 'Android', 'tablet'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bMac(intosh| OS X)\b/, 'macOS', 'computer'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'computer'],
];

/** `Firefox on Linux`. What a program calls itself may be anything; then it is named by its first word. */
export function deviceOf(useragent: string): DeviceName {
  const browser = browsers.find(([pattern]) => pattern.test(useragent))?.[1];
  const [, system, kind = 'program'] = systems.find(([pattern]) => pattern.test(useragent)) ?? [];
  if (browser && system) return { name: `${browser} on ${system}`, kind };
  if (browser) return { name: browser, kind: 'computer' };
  if (system) return { name: `A browser on ${system}`, kind };
  const word = /^[\w.-]{1,40}/.exec(useragent)?.[0];
  return { name: word ?? 'Unknown device', kind: 'program' };
}
