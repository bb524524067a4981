export interface DeviceName {
  name: string;
  kind: 'computer' | 'phone' | 'tablet' | 'program';
}

/** The order matters: nearly every browser also claims to be the ones further down. The group is the version. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)?/, 'Edge'],
  [/\b(?:OPR|Opera|OPT)\/(\d+)?/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)?/, 'Samsung Internet'],
  [/\bVivaldi\/(\d+)?/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d+)?/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\/(\d+)?/, 'Chrome'],
  [/\bVersion\/(\d+)?.*Safari\//, 'Safari'],
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

function browserOf(useragent: string): string | undefined {
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(useragent);
    if (found) return found[1] ? `${name} ${found[1]}` : name;
  }
  return undefined;
}

/** `Firefox 145 on Linux`. What a program calls itself may be anything; then it is named by its first word. */
export function deviceOf(useragent: string): DeviceName {
  const browser = browserOf(useragent);
  const [, system, kind = 'program'] = systems.find(([pattern]) => pattern.test(useragent)) ?? [];
  if (browser && system) return { name: `${browser} on ${system}`, kind };
  if (browser) return { name: browser, kind: 'computer' };
  if (system) return { name: `A browser on ${system}`, kind };
  const word = /^[\w.-]{1,40}/.exec(useragent)?.[0];
  return { name: word ?? 'Unknown device', kind: 'program' };
}
