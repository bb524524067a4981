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
 * cannot be executed fails alone, and so that a connection that broke at the wrong moment is not the caller's trouble.
 * Executing a command twice must therefore have the effect of executing it once.
 */
export function createBatch<Command, Answer>({ execute, sizeMax = 500 }: BatchOptions<Command, Answer>) {
  const queue: Waiting<Command, Answer>[] = [];
  let running = false;

  async function settle(batch: Waiting<Command, Answer>[]): Promise<void> {
    const answers = await execute(batch.map(({ command }) => command));
    batch.forEach(({ resolve }, index) => {
      resolve(answers[index] as Answer);
    });
  }

  async function settleOneByOne(batch: Waiting<Command, Answer>[]): Promise<void> {
    for (const one of batch) await settle([one]).catch(one.reject);
  }

  async function drain(): Promise<void> {
    if (running) return;
    running = true;
    // Requests that were read from the network in the same moment are all queued before the first batch begins.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue.splice(0, sizeMax);
      await settle(batch).catch(() => settleOneByOne(batch));
    }
    running = false;
  }

  return (command: Command): Promise<Answer> =>
    new Promise((resolve, reject) => {
      queue.push({ command, resolve, reject });
      void drain();
    });
}
