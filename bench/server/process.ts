import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Question, Settings, Verbs } from './main.ts';
import { startEnv, startFlags } from './start-flags.ts';

export interface ServerProcess {
  pid: number;
  port: number;
  ask<V extends keyof Verbs>(verb: V, ...input: Parameters<Verbs[V]>): ReturnType<Verbs[V]>;
  close(): Promise<void>;
}

const file = fileURLToPath(new URL('main.ts', import.meta.url));

/** A server of its own on a database; asked by messages for what does not come over HTTP. */
export async function startServer(settings: Settings): Promise<ServerProcess> {
  const child: ChildProcess = fork(file, [JSON.stringify(settings)], {
    execArgv: startFlags,
    env: { ...process.env, ...startEnv },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  child.on('message', ({ id, result, error }: Answer) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(result);
    else reject?.(new Error(error));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the server ended with ${code}`));
  });
  const answerTo = (id: number): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  };
  const port = (await answerTo(0)) as number;
  const ask = ((verb, input) => {
    asked += 1;
    const answer = answerTo(asked);
    child.send({ id: asked, verb, input } satisfies Question);
    return answer;
  }) as ServerProcess['ask'];
  return {
    pid: child.pid ?? 0,
    port,
    ask,
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.send({ id: -1, verb: 'close', input: undefined } satisfies Question);
      await ended;
    },
  };
}
