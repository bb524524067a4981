import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { startAnew } from './anew.ts';
import { startSide } from './side.ts';

/** Writes down what becomes of it, and takes its time to end. */
const program = `
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
appendFileSync('pids', process.pid + ' ');
const note = (word) => appendFileSync('notes', word + ' ');
process.on('SIGTERM', () => setTimeout(() => {
  note('ended');
  process.exit();
}, 200));
await once(process, 'message');
const { edited } = await import('./edited/file.mjs');
note('loaded');
await once(process, 'message');
note(edited);
setInterval(() => {}, 1_000);
process.send('ready');
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tallystick-anew-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(path.join(dir, 'edited'));
  writeFileSync(path.join(dir, 'notes'), '');
  writeFileSync(path.join(dir, 'pids'), '');
  writeFileSync(path.join(dir, 'program.mjs'), program);
});

const edit = (code: string) => writeFileSync(path.join(dir, 'edited', 'file.mjs'), code);
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
const pids = () => readFileSync(path.join(dir, 'pids'), 'utf8').trim().split(' ').map(Number);
const notes = () => readFileSync(path.join(dir, 'notes'), 'utf8').trim().split(' ');

function start() {
  let started = 0;
  const name = 'test';
  const anew = startAnew({
    name,
    start() {
      started += 1;
      const command: [string, string] = [process.execPath, 'program.mjs'];
      return startSide({ name, command, cwd: dir, env: {}, listens: true });
    },
    folders: [path.join(dir, 'edited')],
    onDeaf: (error) => expect.fail(error.message),
  });
  onTestFinished(anew.end);
  return { anew, started: () => started };
}

it('the next one is there before the edit, and runs once the one before it has ended', async () => {
  edit("export const edited = 'one';");
  const { started } = start();
  await expect.poll(() => [started(), notes().at(-1)]).toEqual([2, 'one']);
  edit("export const edited = 'two';");
  await expect.poll(() => notes().at(-1)).toBe('two');
  // What is loaded meanwhile may be loaded before or after.
  expect(notes().filter((note) => note !== 'loaded')).toEqual(['one', 'ended', 'two']);
  await expect.poll(started).toBe(3);
});

it('edits that come faster than a start leave one running, of the last of them', async () => {
  edit("export const edited = 'one';");
  const { anew, started } = start();
  await expect.poll(() => [started(), notes().at(-1)]).toEqual([2, 'one']);
  for (const word of ['two', 'three', 'four']) {
    const before = started();
    edit(`export const edited = '${word}';`);
    // The first takes the one that waits.
    if (word === 'two') await expect.poll(() => notes().filter((note) => note === 'loaded').length).toBe(2);
    else await expect.poll(started).toBeGreaterThan(before);
  }
  await expect.poll(() => notes().at(-1)).toBe('four');
  await anew.end();
  const inTurn = notes().filter((note) => note !== 'loaded');
  for (const [at, note] of inTurn.entries())
    expect(note === 'ended' || at === 0 || inTurn[at - 1] === 'ended').toBe(true);
  expect(inTurn.filter((note) => note === 'four')).toHaveLength(1);
});

it('where the next one has died, an edit starts another', async () => {
  edit("export const edited = 'one';");
  const { started } = start();
  await expect.poll(() => [notes().at(-1), pids().length]).toEqual(['one', 2]);
  process.kill(pids()[1] ?? 0, 'SIGKILL');
  await expect.poll(() => isAlive(pids()[1] ?? 0)).toBe(false);
  edit("export const edited = 'two';");
  await expect.poll(() => notes().at(-1)).toBe('two');
  expect(started()).toBeGreaterThan(2);
});

it('folders that cannot be watched are told before anything is started', () => {
  let started = 0;
  const begin = () =>
    startAnew({
      name: 'test',
      start() {
        started += 1;
        throw new Error('started');
      },
      folders: [path.join(dir, 'nowhere')],
      onDeaf: () => {},
    });
  expect(begin).toThrow('ENOENT');
  expect(started).toBe(0);
});

it('one that fails is down until it is mended', async () => {
  edit("throw new Error('not yet');");
  const { anew, started } = start();
  await expect.poll(anew.isDown).toBe(true);
  await expect.poll(started).toBe(2);
  edit("export const edited = 'mended';");
  await expect.poll(anew.isDown).toBe(false);
  await expect.poll(() => notes().at(-1)).toBe('mended');
});

it('at the end nobody is left, and no edit starts another', async () => {
  edit("export const edited = 'one';");
  const { anew, started } = start();
  await expect.poll(() => [pids().length, notes().at(-1)]).toEqual([2, 'one']);
  await anew.end();
  expect(pids().filter(isAlive)).toEqual([]);
  edit("export const edited = 'two';");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(started()).toBe(2);
  expect(anew.isDown()).toBe(false);
});
