export type DeviceKind = 'computer' | 'phone' | 'tablet' | 'program';

export interface NamedDevice {
  browser: string | null;
  /** The first number of it. Three digits at most: whoever signs in may put anything there, a number to call as well. */
  version: string | null;
  system: string | null;
  kind: DeviceKind;
}

/** The order matters: nearly every browser also claims to be the ones further down. The group is the version. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d{1,3}(?!\d))?/, 'Edge'],
  [/\b(?:OPR|Opera|OPT)\/(\d{1,3}(?!\d))?/, 'Opera'],
  [/\bSamsungBrowser\/(\d{1,3}(?!\d))?/, 'Samsung Internet'],
  [/\bVivaldi\/(\d{1,3}(?!\d))?/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,3}(?!\d))?/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\/(\d{1,3}(?!\d))?/, 'Chrome'],
  [/\bVersion\/(\d{1,3}(?!\d))?.*Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string, DeviceKind][] = [
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\b(iPhone|iPod)\b/, 'iPhone', 'phone'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b.*\bTablet\b|\bAndroid\b(?!.*\b(Mobile|TV)\b)/, 'Android', 'tablet'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bMac(intosh| OS X)\b/, 'macOS', 'computer'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'computer'],
];

/** What a User-Agent says, in our own words for it: letters and the profile name a device alike. */
export function readUserAgent(useragent: string): NamedDevice {
  const [found] = browsers.flatMap(([pattern, browser]) => {
    const match = pattern.exec(useragent);
    return match ? [{ browser, version: match[1] ?? null }] : [];
  });
  const [, system = null, kind] = systems.find(([pattern]) => pattern.test(useragent)) ?? [];
  return { browser: null, version: null, ...found, system, kind: kind ?? (found ? 'computer' : 'program') };
}
