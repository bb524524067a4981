import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changedSince } from './changed.ts';

it('what is deleted or moved away has changed, too, and no letter hides a file', ({ onTestFinished }) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tallystick-changed-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir });
  const write = (name: string, text: string) => writeFileSync(path.join(dir, name), text);
  git('init', '-q');
  for (const name of ['same.ts', 'edited.ts', 'gone.ts', 'moved.ts']) write(name, name);
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a');
  write('edited.ts', 'edited');
  write('n\u00fc tz.ts', 'new');
  rmSync(path.join(dir, 'gone.ts'));
  renameSync(path.join(dir, 'moved.ts'), path.join(dir, 'there.ts'));
  git('add', 'moved.ts', 'there.ts');
  const { files, left } = changedSince(dir, 'HEAD');
  expect(files.sort()).toEqual(['edited.ts', 'gone.ts', 'moved.ts', 'n\u00fc tz.ts', 'there.ts']);
  expect(left.sort()).toEqual(['edited.ts', 'n\u00fc tz.ts', 'there.ts']);
});
