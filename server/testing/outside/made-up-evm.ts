import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface MadeUpPayment {
  to: string;
  units: bigint;
  from?: string;
  /** One of its own, unless it is said. */
  txid?: string;
}

interface Question {
  /** Its first parameter. */
  first: string;
  /** How many are asked in one. */
  together: number;
  truth: unknown;
}

/** An EVM network as somebody who lies would have it: real nodes refuse what these blocks say. */
export interface MadeUpEvm {
  url: string;
  /** Everything in one block; says the ids. */
  block(...payments: MadeUpPayment[]): string[];
  /** So many empty ones. */
  mine(count: number): void;
  /** What is answered in place of the truth, by method. */
  lies: Record<string, (question: Question) => unknown>;
  close(): Promise<void>;
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const hashOf = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const nobody = `0x${'9'.repeat(40)}`;

interface Asked {
  id: unknown;
  method: string;
  params: [string, unknown];
}

export async function startMadeUpEvm({ chainId }: { chainId: number }): Promise<MadeUpEvm> {
  const blocks: object[][] = [[]];
  const mined = new Map<string, number>();
  let count = chainId * 1_000_000;

  function headerOf(height: number) {
    return { number: hex(height), hash: hashOf(height + 1), parentHash: hashOf(height), timestamp: hex(1) };
  }
  function blockAt(asked: string) {
    const height = asked === 'latest' ? blocks.length - 1 : Number(asked);
    const transactions = blocks[height];
    return transactions ? { ...headerOf(height), transactions } : null;
  }
  const answers: Record<string, (first: string) => unknown> = {
    eth_chainId: () => hex(chainId),
    eth_syncing: () => false,
    eth_getBlockByNumber: blockAt,
    eth_getTransactionReceipt: (txid) => ({
      transactionHash: txid,
      blockHash: headerOf(mined.get(txid) ?? 0).hash,
      status: '0x1',
    }),
    eth_getBalance: () => '0x0',
  };
  function answered({ id, method, params: [first] }: Asked, together: number) {
    const truth = answers[method]?.(first);
    const lie = self.lies[method];
    return { jsonrpc: '2.0', id, result: lie ? lie({ first, together, truth }) : truth };
  }
  const server = createServer(async (request, response) => {
    const asked: Asked | Asked[] = JSON.parse(await text(request));
    const told = Array.isArray(asked)
      ? asked.map((each) => answered(each, asked.length))
      : answered(asked, 1);
    response.end(JSON.stringify(told));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: MadeUpEvm = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lies: {},
    block(...payments) {
      const transactions = payments.map(({ to, units, from = nobody, txid }) => {
        count += 1;
        return { hash: txid ?? hashOf(count), from, to, value: hex(units) };
      });
      for (const { hash } of transactions) mined.set(hash, blocks.length);
      blocks.push(transactions);
      return transactions.map(({ hash }) => hash);
    },
    mine(many) {
      for (let left = many; left > 0; left -= 1) blocks.push([]);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}
