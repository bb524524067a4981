import { AppError } from '../app-error.ts';

interface BatchOptions<Command, Answer> {
  /** Executes the commands together and gives one answer for each, in order. Doing it twice must have one effect. */
  execute(commands: Command[]): Promise<Answer[]>;
  /** What a failure of the whole batch calls for; one by one, unless told otherwise. */
  afterFailure?(error: unknown): 'one by one' | 'together again' | 'give up';
  sizeMax?: number;
  waitingMax?: number;
  /** How many batches may be under way; a further one begins only when there is enough for it to be worth it. */
  inFlightMax?: number;
}

interface Waiting<Command, Answer> {
  command: Command;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const enoughForAnother = 32;

/**
 * Commands that arrive while a batch is under way form the next: the busier it gets, the more of them share a
 * transaction. A lone command does not wait. A batch that fails is executed again one by one, so that a command that
 * cannot be executed fails alone; where the trouble is not a command's, all of it is tried again or given up.
 */
export function createBatch<Command, Answer>({
  execute,
  afterFailure = () => 'one by one',
  sizeMax = 500,
  waitingMax = 5_000,
  inFlightMax = 1,
}: BatchOptions<Command, Answer>) {
  const queue: Waiting<Command, Answer>[] = [];
  let inFlight = 0;
  let begins = false;

  async function settle(batch: Waiting<Command, Answer>[]): Promise<void> {
    const answers = await execute(batch.map(({ command }) => command));
    batch.forEach(({ resolve }, index) => {
      resolve(answers[index] as Answer);
    });
  }

  async function settleAfter(error: unknown, batch: Waiting<Command, Answer>[]): Promise<void> {
    const way = afterFailure(error);
    if (way === 'one by one') {
      for (const one of batch) await settle([one]).catch(one.reject);
      return;
    }
    const last = way === 'together again' ? settle(batch) : Promise.reject(error);
    await last.catch((reason) => {
      for (const { reject } of batch) reject(reason);
    });
  }

  function mayBegin(): boolean {
    if (queue.length === 0 || inFlight >= inFlightMax) return false;
    return inFlight === 0 || queue.length >= Math.min(enoughForAnother, sizeMax);
  }

  async function drain(): Promise<void> {
    if (begins || !mayBegin()) return;
    begins = true;
    // Requests that were read from the network in the same moment are all queued before the first batch begins.
    await new Promise((resolve) => setImmediate(resolve));
    begins = false;
    if (!mayBegin()) return;
    inFlight += 1;
    void drain();
    while (queue.length > 0 && (inFlight === 1 || queue.length >= Math.min(enoughForAnother, sizeMax))) {
      const batch = queue.splice(0, sizeMax);
      await settle(batch).catch((error) => settleAfter(error, batch));
    }
    inFlight -= 1;
    void drain();
  }

  return (command: Command): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (queue.length >= waitingMax) {
        reject(
          new AppError('busy', 'Too much is happening at this moment. Try again in a few seconds.', {
            retryAfterSeconds: 2,
          }),
        );
        return;
      }
      queue.push({ command, resolve, reject });
      void drain();
    });
}
