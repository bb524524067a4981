import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatch } from './batch.ts';

/** So often the event loop has looked at the network, and a little more. */
async function looks(times: number): Promise<void> {
  for (let look = 0; look < times; look += 1) await setImmediate();
}

/** Two batches at a time, which end when they are told to. */
function twoUnderWay() {
  const sizes: number[] = [];
  const over = Promise.withResolvers<void>();
  const run = createBatch<number, number>({
    inFlightMax: 2,
    async execute(commands) {
      sizes.push(commands.length);
      await over.promise;
      return commands;
    },
  });
  return { sizes, over, run };
}

describe('commands that arrive together', () => {
  it('are executed together, and each gets its own answer', async () => {
    const sizes: number[] = [];
    const begun = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    const run = createBatch<number, number>({
      async execute(commands) {
        sizes.push(commands.length);
        begun.resolve();
        await others.promise;
        return commands.map((command) => command * 2);
      },
    });
    const first = Array.from({ length: 10 }, (_, n) => run(n));
    await begun.promise;
    const second = Array.from({ length: 20 }, (_, n) => run(100 + n));
    others.resolve();
    expect(await Promise.all(first)).toEqual(first.map((_, n) => n * 2));
    expect(await Promise.all(second)).toEqual(second.map((_, n) => 200 + n * 2));
    expect(sizes).toEqual([10, 20]);
  });

  it('do not fail with the one among them that cannot be executed', async () => {
    const run = createBatch<string, string>({
      async execute(commands) {
        if (commands.includes('poison')) throw new Error('cannot');
        return commands;
      },
    });
    const answers = await Promise.allSettled(['a', 'poison', 'b'].map(run));
    expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are tried once more when their batch failed, so that a broken connection is not the caller’s trouble', async () => {
    let tries = 0;
    const run = createBatch<string, string>({
      async execute(commands) {
        tries += 1;
        if (tries === 1) throw new Error('connection lost');
        return commands;
      },
    });
    expect(await run('a')).toBe('a');
    expect(tries).toBe(2);
  });

  it('are all given up, or tried again together, when the trouble is not one of theirs', async () => {
    const sizes: number[] = [];
    const failing = (way: 'give up' | 'together again') =>
      createBatch<string, string>({
        afterFailure: () => way,
        async execute(commands) {
          sizes.push(commands.length);
          if (way === 'give up' || sizes.length === 2) throw new Error('locked');
          return commands;
        },
      });
    const given = await Promise.allSettled(['a', 'b', 'c'].map(failing('give up')));
    expect(given.every(({ status }) => status === 'rejected')).toBe(true);
    const again = await Promise.allSettled(['a', 'b', 'c'].map(failing('together again')));
    expect(again.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(sizes).toEqual([3, 3, 3]);
  });

  it('are executed as soon as there are enough of them, while others are on their way', async () => {
    const { sizes, over, run } = twoUnderWay();
    const all = Array.from({ length: 150 }, (_, n) => run(n));
    expect(sizes).toEqual([64, 64]);
    over.resolve();
    expect(await Promise.all(all)).toEqual(all.map((_, n) => n));
    expect(sizes).toEqual([64, 64, 22]);
  });

  it('do not wait for fewer that came before them, only for more', async () => {
    const { sizes, over, run } = twoUnderWay();
    const arrive = async (count: number) => {
      const answers = Array.from({ length: count }, (_, n) => run(n));
      await looks(2);
      return { answers };
    };
    const first = await arrive(5);
    const fewer = await arrive(4);
    expect(sizes).toEqual([5]);
    const asMany = await arrive(1);
    expect(sizes).toEqual([5, 5]);
    const third = await arrive(30);
    expect(sizes).toEqual([5, 5]);
    over.resolve();
    await Promise.all([first, fewer, asMany, third].flatMap(({ answers }) => answers));
    expect(sizes).toEqual([5, 5, 30]);
  });

  it('are at most as many batches as may be under way, however many wait', async () => {
    const { sizes, over, run } = twoUnderWay();
    const all = Array.from({ length: 200 }, (_, n) => run(n));
    await looks(2);
    expect(sizes).toEqual([64, 64]);
    over.resolve();
    await Promise.all(all);
    expect(sizes).toEqual([64, 64, 72]);
  });

  it('share a batch with those that each further look at the network brings', async () => {
    const { sizes, over, run } = twoUnderWay();
    const answers = [run(0), run(1)];
    for (let n = 2; n < 6; n += 1) {
      await looks(1);
      answers.push(run(n));
    }
    expect(sizes).toEqual([]);
    await looks(2);
    expect(sizes).toEqual([6]);
    over.resolve();
    await Promise.all(answers);
  });

  it('wait no longer when a look brings nothing: one that is alone begins after the first', async () => {
    const { sizes, over, run } = twoUnderWay();
    const alone = run(1);
    await looks(1);
    expect(sizes).toEqual([1]);
    over.resolve();
    await alone;
  });

  it('are not kept waiting by a stream of others', async () => {
    const { sizes, over, run } = twoUnderWay();
    const answers = [run(0), run(1)];
    for (let n = 2; n < 10; n += 1) {
      await looks(1);
      answers.push(run(n));
    }
    expect(sizes).toEqual([9]);
    over.resolve();
    await Promise.all(answers);
  });

  it('gather anew behind each batch, so that who was just answered and asks again is in the next', async () => {
    const sizes: number[] = [];
    const run = createBatch<number, number>({
      async execute(commands) {
        sizes.push(commands.length);
        await looks(1);
        return commands;
      },
    });
    const again = run(1).then(async () => {
      await looks(1);
      return run(2);
    });
    await looks(1);
    await Promise.all([again, run(3), run(4)]);
    expect(sizes).toEqual([1, 3]);
  });

  it('are refused when too many wait already', async () => {
    const run = createBatch<number, number>({ waitingMax: 3, execute: async (commands) => commands });
    const answers = await Promise.allSettled([1, 2, 3, 4].map(run));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('are never more than the given number', async () => {
    const sizes: number[] = [];
    const run = createBatch<number, number>({
      sizeMax: 4,
      async execute(commands) {
        sizes.push(commands.length);
        return commands;
      },
    });
    await Promise.all(Array.from({ length: 10 }, (_, n) => run(n)));
    expect(sizes).toEqual([4, 4, 2]);
  });
});
