import { exitCodes, Refusal, Unfinished } from '../platform/backup/refusal.ts';
import { endingSignals, goOnUnread } from '../told-to-end.ts';

export const say = (line: string) => process.stdout.write(`${line}\n`);

/** One command: why it did not succeed goes to the terminal in one sentence, and its exit code tells a script. */
export async function runTold(failure: string, work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const { message, errors } = error as Error & { errors?: Error[] };
    const lead = error instanceof Unfinished ? '' : `${failure} `;
    process.stderr.write(`${lead}${message || (errors?.[0]?.message ?? error)}\n`);
    process.exitCode = error instanceof Refusal ? error.exitCode : exitCodes.failed;
  }
}

/** Lets a command tidy up behind itself when it is told to end. */
export function untilSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('It was told to stop.'));
  for (const signal of endingSignals) process.once(signal, stop);
  // A terminal that is closed tells it twice, itself and by way of its shell.
  process.on('SIGHUP', () => {});
  goOnUnread();
  return stopping.signal;
}

/** What a command was called with: one folder, and what may stand beside it. */
export function folderAsked(usage: string, { positionals }: { positionals: string[] }): string {
  const [folder] = positionals;
  if (folder === undefined || folder === '' || positionals.length > 1) throw new Refusal('failed', usage);
  return folder;
}
