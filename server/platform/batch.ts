interface BatchOptions<Command, Answer> {
  /** Executes the commands together and gives one answer for each, in order. */
  execute(commands: Command[]): Promise<Answer[]>;
  sizeMax?: number;
}

interface Waiting<Command, Answer> {
  command: Command;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Commands that arrive while one batch is under way form the next: the busier it gets, the more of them share a
 * transaction. A lone command does not wait. A batch that fails is executed again one by one, so that a command that
 * cannot be executed fails alone.
 */
export function createBatch<Command, Answer>({ execute, sizeMax = 500 }: BatchOptions<Command, Answer>) {
  const queue: Waiting<Command, Answer>[] = [];
  let running = false;

  async function settle(batch: Waiting<Command, Answer>[]): Promise<void> {
    try {
      const answers = await execute(batch.map(({ command }) => command));
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  async function drain(): Promise<void> {
    if (running) return;
    running = true;
    // Requests that were read from the network in the same moment are all queued before the first batch begins.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await settle(queue.splice(0, sizeMax));
    running = false;
  }

  return (command: Command): Promise<Answer> =>
    new Promise((resolve, reject) => {
      queue.push({ command, resolve, reject });
      void drain();
    });
}
