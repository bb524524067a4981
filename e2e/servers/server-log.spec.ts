import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createLogger } from '../../server/platform/logger.ts';
import { errorsIn } from './server-log.ts';

test('what the server logs as an error, in whichever colours, is found by every journey @any-size', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tallystick-e2e-log-'));
  const file = join(dir, 'server.log');
  const logger = createLogger('warn', 'demo', { write: (text) => writeFileSync(file, text, { flag: 'a' }) });
  logger.warn('nothing but a warning');
  logger.error({ err: new Error('out of ink') }, 'a request failed');
  logger.fatal('the end');
  expect(errorsIn(file)).toEqual([
    expect.stringMatching(/ error a request failed\n {2}Error: out of ink\n/),
    expect.stringMatching(/ error the end$/),
  ]);
  rmSync(dir, { recursive: true });
});
