import { AppError } from '../app-error.ts';

interface BatchOptions<Command, Answer> {
  /** Executes the commands together and gives one answer for each, in order. Doing it twice must have one effect. */
  execute(commands: Command[]): Promise<Answer[]>;
  /** What a failure of the whole batch calls for; one by one, unless told otherwise. */
  afterFailure?(error: unknown): 'one by one' | 'together again' | 'give up';
  sizeMax?: number;
  waitingMax?: number;
  /** How many batches may be under way; a further one begins only when it is worth it. */
  inFlightMax?: number;
}

interface Waiting<Command, Answer> {
  command: Command;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** As many as are always worth a batch: with fewer, what a batch costs is a good part of what its commands do. */
const enoughForOne = 64;
/** How often the network is looked at for more: where thousands ask, a look takes long. */
const looksMax = 8;

/**
 * Commands that arrive while a batch is under way form the next: the busier it gets, the more of them share a
 * transaction. A lone command waits for one look at the network; where each look has brought more, the next may, too: who
 * was just answered is about to ask again. As many as are under way do not wait until those are over: whoever executes them
 * works on the first while the server reads the rest. A batch that fails is executed again one by one, so that a command that
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
  const enough = Math.min(enoughForOne, sizeMax);
  let inFlight = 0;
  let commandsInFlight = 0;
  let gathering = false;

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

  /** Fewer wait for those under way, to share a batch with others; many must not wait for the one that came just before. */
  const isWorthIt = () => queue.length > 0 && queue.length >= Math.min(enough, commandsInFlight);
  const mayBegin = () => inFlight < inFlightMax && isWorthIt();

  async function work(): Promise<void> {
    const batch = queue.splice(0, sizeMax);
    inFlight += 1;
    commandsInFlight += batch.length;
    const settled = settle(batch).catch((error) => settleAfter(error, batch));
    drain();
    await settled;
    inFlight -= 1;
    commandsInFlight -= batch.length;
    drain();
  }

  function drain(): void {
    if (!mayBegin()) return;
    if (queue.length >= enough) return void work();
    if (gathering) return;
    gathering = true;
    setImmediate(gather, queue.length, 1);
  }

  /** Requests that were read from the network in the same moment are all queued by now. */
  function gather(before: number, looks: number): void {
    const mayGrow = queue.length > before && looks < looksMax;
    if (mayGrow) return void setImmediate(gather, queue.length, looks + 1);
    gathering = false;
    if (mayBegin()) void work();
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
      drain();
    });
}
