import { execFile } from 'node:child_process';

interface Said {
  code: number;
  all: string;
  last: string;
}

/** As `npm run …` does it; how it ended and what it said. */
export const drillOf =
  (command: string, ...usual: string[]) =>
  (...args: string[]): Promise<Said> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [command, ...usual, ...args],
        { timeout: 400_000 },
        (error, stdout, stderr) => {
          const last = stdout.trim().split('\n').at(-1) ?? '';
          resolve({ code: error ? Number(error.code ?? -1) : 0, all: stdout + stderr, last });
        },
      );
    });
