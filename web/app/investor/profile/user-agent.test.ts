import { expect, test } from 'vitest';
import { deviceOf } from './user-agent.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox 145 on Linux',
    'computer',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome 142 on Android',
    'phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome 142 on Android',
    'tablet',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) ${webkit} Version/18.1 Mobile/15E148 Safari/604.1`,
    'Safari 18 on iPad',
    'tablet',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} CriOS/142.0 Mobile/15E148 Safari/604.1`,
    'Chrome 142 on iPhone',
    'phone',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge 142 on Windows',
    'computer',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.1 Safari/605.1.15`,
    'Safari 18 on macOS',
    'computer',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome 142 on ChromeOS',
    'computer',
  ],
  ['Firefox/ on Linux', 'Firefox on Linux', 'computer'],
  ['Firefox/442079460958 on Linux', 'Firefox on Linux', 'computer'],
  ['curl/8.5.0', 'curl', 'program'],
  ['', 'Unknown device', 'program'],
  ['<script>', 'Unknown device', 'program'],
])('%s', (useragent, name, kind) => {
  expect(deviceOf(useragent)).toEqual({ name, kind });
});
