import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import type { Mode } from './postgres/installation.ts';

/** What a logger of this mode writes. */
function written(mode: Mode, log: (logger: ReturnType<typeof createLogger>) => void): string {
  const texts: string[] = [];
  log(createLogger('info', mode, { write: (text: string) => texts.push(text) }));
  return texts.join('');
}

/** The same without colours. */
const heard = (...input: Parameters<typeof written>) => stripVTControlCharacters(written(...input));

describe('a log', () => {
  it('of a production is JSON, a line each', () => {
    const [line = '', ...rest] = heard('production', (logger) =>
      logger.warn({ network: 'xrp' }, 'a node\nis away'),
    ).split('\n');
    expect(JSON.parse(line)).toMatchObject({ level: 40, network: 'xrp', msg: 'a node\nis away' });
    expect(rest).toEqual(['']);
  });

  it('of anything else is for people: when, how bad, what, and the facts', () => {
    const line = heard('demo', (logger) =>
      logger.warn({ network: 'xrp', restMs: 20, why: 'it is away' }, 'jobs rest'),
    );
    expect(line).toMatch(/^\d\d:\d\d:\d\d warn {2}jobs rest network=xrp restMs=20 why="it is away"\n$/);
    expect(heard('demo', (logger) => logger.debug('too much'))).toBe('');
  });

  it('has an error with its stack and its code', () => {
    const err = Object.assign(new Error('no'), { code: '53100' });
    const [line, first, second] = heard('demo', (logger) => logger.error({ err }, 'a request failed')).split(
      '\n',
    );
    expect(line).toMatch(/ error a request failed code=53100$/);
    expect([first, second]).toEqual(['  Error: no', expect.stringMatching(/^ {6}at .*logger\.test\.ts/)]);
  });

  it.each<Mode>(['demo', 'production'])('of a %s has no secrets in it', (mode) => {
    const body = { password: 'secret-1', token: 'secret-2' };
    const req = { headers: { authorization: 'Bearer secret-3', cookie: 'secret-4' } };
    const line = heard(mode, (logger) => logger.info({ body, req }, 'asked'));
    expect(line).toContain('[redacted]');
    expect(line).not.toContain('secret-');
    const refused = { detail: 'Failing row contains (secret-5).', input: 'postgres://u:secret-6@' };
    const failed = heard(mode, (logger) =>
      logger.error({ err: Object.assign(new Error('no'), refused) }, 'it failed'),
    );
    expect(failed).toContain('Error: no');
    expect(failed).not.toContain('secret-');
  });

  it('lets nobody draw on the terminal, or begin a line of their own', () => {
    const evil = '\u001b]0;owned\u0007\u009b2J\u202e\u2028\n00:00:00 info  all is well';
    const told = written('demo', (logger) => logger.warn({ peer: evil, err: new Error(evil) }, evil));
    const controls = ['\u001b]', '\u0007', '\u009b', '\u202e', '\u2028'];
    expect(controls.filter((control) => told.includes(control))).toEqual([]);
    expect(told.split('\n').filter((line) => line.startsWith('00:00:00'))).toEqual([]);
  });

  it('that nobody takes neither brings a process down nor keeps it from ending', async () => {
    const file = JSON.stringify(new URL('./logger.ts', import.meta.url).href);
    const script = `
      import { setTimeout as delay } from 'node:timers/promises';
      import { createLogger } from ${file};
      const logger = createLogger('info');
      for (let time = 0; time < 5; time += 1) {
        logger.info('a line');
        await delay(20);
      }
      logger.info('the last but one');
      logger.info('the last');
      process.exit(3);`;
    // Every write to it fails, as to a disk that is full.
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', full, 'inherit'],
      timeout: 30_000,
    });
    closeSync(full);
    expect(await once(child, 'exit')).toEqual([3, null]);
  });
});
