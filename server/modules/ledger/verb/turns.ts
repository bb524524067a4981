import { AppError } from '../../../platform/app-error.ts';

/** One at a time, in the order of asking, and nobody waits for longer than so. */
export function createTurns({ msMax }: { msMax: number }) {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = last;
    // Who does not wait any more ends a turn that has not come: the next still comes behind those before.
    last = before.then(() => ended);
    const come = async () => {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => reject(new AppError('busy', 'It was not its turn in time.', { retryAfterSeconds: 2 })),
        msMax,
      );
      try {
        await Promise.race([before, late]);
      } finally {
        clearTimeout(timer);
      }
    };
    return { come, end };
  };
}
