import { readUserAgent } from '@tallystick/contract/device';

/**
 * 'Firefox on Linux'. Any program may call itself anything, also a sentence meant for the reader, so its own words
 * are never repeated.
 */
export function deviceOf(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Not recognised';
}
