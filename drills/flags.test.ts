import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { drillOf } from './run-drill.ts';

const none = 'takes a whole number from 1 on, not';
it.each([
  ['crash', ['--kills', 'abc'], `--kills ${none} "abc".`],
  ['failover', ['--tims', '2'], "Unknown option '--tims': it takes --times, "],
  ['flood', ['--seconds', '1e3'], `--seconds ${none} "1e3".`],
  ['fuzz', ['--requests', ''], `--requests ${none} "".`],
  ['fault', ['--seed', '0x7'], '--seed takes a whole number from 0 on, not "0x7".'],
  ['backup', ['--break', 'nothing'], '--break takes one of manifest, wal, rows, not "nothing".'],
  ['mutation', ['--break', 'nothing'], '--break takes tests alone, not "nothing".'],
])(
  '%s %s is refused in a sentence, and never a drill of nothing that ends well',
  async (name, args, sentence) => {
    const drill = drillOf(fileURLToPath(new URL(`${name}/main.ts`, import.meta.url)));
    const { code, all } = await drill(...args);
    expect(all).toContain(sentence);
    expect(all).not.toContain('    at ');
    expect(code).toBe(78);
  },
);
