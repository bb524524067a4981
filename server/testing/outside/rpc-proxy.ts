import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { JsonRpc } from '../../platform/chains/json-rpc.ts';

type Answer = (params: unknown[]) => unknown;

export interface RpcProxy {
  url: string;
  /** What is answered instead of the real node's answer, by method; an error that is thrown is its refusal. */
  answers: Record<string, Answer>;
  close(): Promise<void>;
}

interface Request {
  id: unknown;
  method: string;
  params: unknown[];
}

/** Stands between us and a real node and lies where a test wants it to. */
export async function startRpcProxy(real: JsonRpc, answers: Record<string, Answer> = {}): Promise<RpcProxy> {
  async function answered({ id, method, params }: Request) {
    try {
      const lie = self.answers[method];
      return {
        id,
        error: null,
        result: lie ? await lie(params) : await real.call(method, params, z.unknown()),
      };
    } catch (error) {
      const { code, message } = error as { code?: number; message: string };
      return { id, result: null, error: { code: code ?? -1, message } };
    }
  }

  const server = createServer(async (request, response) => {
    const asked: Request | Request[] = JSON.parse(await text(request));
    const told = Array.isArray(asked) ? await Promise.all(asked.map(answered)) : await answered(asked);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}
