import { watch } from 'node:fs';
import { type Side, tell } from './side.ts';

interface Anew {
  name: string;
  /** Starts a program that does nothing of its own accord: it is told to load what is edited, and then to run. */
  start(): Side;
  folders: string[];
  /** Edits are not heard of any more. */
  onDeaf(error: Error): void;
}

/** An editor may write a file twice, or several files at once. */
const calmMs = 50;

/**
 * A program that is started anew with every edit. The next one is there before it is needed, with all that no edit changes,
 * and loads the rest while the one before it ends.
 */
export function startAnew({ name, start, folders, onDeaf }: Anew) {
  let running: Side;
  let next: Side | null = null;
  let isDown = false;
  let isEnding = false;
  /** Until all that came before the running one have ended: two at once would want the same port. */
  let ended: Promise<unknown> = Promise.resolve();

  function begin(program: Side): void {
    running = program;
    isDown = false;
    program.say('load');
    void ended.then(() => program === running && program.say('run'));
    void program.ended.then(() => {
      if (program !== running || isEnding) return;
      isDown = true;
      tell(name, 'has ended, and is started again with the next edit');
    });
    // Not before: it would take its time from the one that is waited for.
    void Promise.race([program.ready, program.ended]).then(() => {
      if (program === running && !isEnding) prepareNext();
    });
  }

  function prepareNext(): void {
    if (next) return;
    const program = start();
    next = program;
    // Where it ends before it is needed, an edit takes as long as a whole start.
    void program.ended.then(() => {
      if (program === next) next = null;
    });
  }

  function beginAnew(): void {
    tell(name, 'starts anew');
    const before = running;
    ended = Promise.all([ended, before.end()]);
    const program = next ?? start();
    next = null;
    begin(program);
  }

  let calm: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(calm);
      calm = setTimeout(beginAnew, calmMs);
    }).on('error', onDeaf),
  );
  begin(start());

  return {
    /** It has failed and waits for an edit. */
    isDown: () => isDown,

    async end(): Promise<void> {
      isEnding = true;
      clearTimeout(calm);
      for (const watcher of watchers) watcher.close();
      await Promise.all([ended, running.end(), next?.end()]);
    },
  };
}
