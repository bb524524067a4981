import { spawnSync } from 'node:child_process';

const answerBytesMax = 64 * 1024 * 1024;
const answerMsMax = 2 * 60_000;

/** Asks the npm of this machine, which says what it has to say on standard output. */
export function askNpm(root: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: answerBytesMax,
    timeout: answerMsMax,
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}
