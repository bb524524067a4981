import { hash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createJsonRpc, type JsonRpc } from '../../platform/chains/json-rpc.ts';

/** What a transaction is said to be, in rippled's own words, over what a plain payment would be. */
interface Details {
  tx?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

export interface XrpServer {
  url: string;
  rpc: JsonRpc;
  networkId: number | undefined;
  /** Whether it takes part in the network: `full` when it does. */
  state: string;
  /** Ledgers before this one are not kept. */
  oldest: number;
  accounts: Map<string, { units: bigint; flags: number }>;
  /** Into the next ledger; says its id. */
  pay(payment: { from: string; to: string; units: bigint; tag?: number }, details?: Details): string;
  /** Closes and validates the next ledgers. */
  validate(count?: number): void;
  /** Nobody answers until `restart`; what it had, it has again. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Those of all four calls. */
interface Params {
  account: string;
  ledger_index: number;
  ledger_index_min: number;
  ledger_index_max: number;
  marker?: number;
}

interface Transaction {
  tx: Record<string, unknown> & { hash: string; Account: string; Destination: string };
  meta: Record<string, unknown>;
}

const beginning = 1000;
const pageSize = 3;
const hashOf = (text: string) => hash('sha256', text).toUpperCase();
const ledgerHash = (height: number) => hashOf(`ledger ${height}`);
const refused = (error: string) => ({ status: 'error', error, error_message: `It is said to be ${error}` });

type State = Pick<XrpServer, 'networkId' | 'state' | 'oldest' | 'accounts'> & { ledgers: Transaction[][] };

/** What each call answers, as the documentation shows it. */
const answers: Record<string, (state: State, params: Params) => object> = {
  server_info: ({ ledgers, oldest, networkId, state }) => ({
    info: {
      complete_ledgers: `${oldest}-${ledgers.length - 1}`,
      network_id: networkId,
      server_state: state,
      validated_ledger: { seq: ledgers.length - 1, hash: ledgerHash(ledgers.length - 1), age: 2 },
    },
  }),

  ledger({ ledgers, oldest }, { ledger_index: height }) {
    if (height < oldest || height >= ledgers.length) return refused('lgrNotFound');
    const ledger = {
      ledger_index: String(height),
      ledger_hash: ledgerHash(height),
      parent_hash: ledgerHash(height - 1),
      close_time: 800_000_000 + height,
    };
    return { validated: true, ledger_index: height, ledger_hash: ledgerHash(height), ledger };
  },

  account_tx({ ledgers, oldest }, { account, ledger_index_min: from, ledger_index_max: to, marker = 0 }) {
    const [min, max] = [Math.max(from, oldest), Math.min(to, ledgers.length - 1)];
    if (min > max) return refused('lgrIdxsInvalid');
    const found = ledgers
      .slice(min, max + 1)
      .flatMap((ledger, at) =>
        ledger
          .filter(({ tx }) => [tx.Account, tx.Destination].includes(account))
          .map(({ tx, meta }) => ({ validated: true, meta, tx: { ...tx, ledger_index: min + at } })),
      );
    const transactions = found.slice(marker, marker + pageSize);
    const rest = marker + pageSize < found.length ? { marker: marker + pageSize } : {};
    return { account, ledger_index_min: min, ledger_index_max: max, validated: true, transactions, ...rest };
  },

  account_info({ accounts }, { account }) {
    const known = accounts.get(account);
    if (!known) return refused('actNotFound');
    return { validated: true, account_data: { Balance: String(known.units), Flags: known.flags } };
  },
};

/**
 * Stands in for rippled, of which there is no package: it speaks the JSON that its documentation describes for the four
 * calls that are made (`server_info`, `ledger`, `account_tx`, `account_info`, version 1), and no more. It checks no
 * signature and no balance.
 */
export async function startXrpServer(): Promise<XrpServer> {
  const ledgers: Transaction[][] = Array.from({ length: beginning + 1 }, () => []);
  let next: Transaction[] = [];
  let count = 0;

  function listen(port: number): Promise<Server> {
    const server = createServer(async (request, response) => {
      const { method, params } = JSON.parse(await text(request));
      const answer = answers[method]?.({ ...self, ledgers }, params[0]) ?? refused('unknownCmd');
      response.end(JSON.stringify({ result: { status: 'success', ...answer } }));
    });
    return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
  }

  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  const self: XrpServer = {
    url,
    rpc: createJsonRpc({ url }),
    networkId: 0,
    state: 'full',
    oldest: 500,
    accounts: new Map(),
    pay({ from, to, units, tag }, { tx = {}, meta = {} } = {}) {
      count += 1;
      const txid = hashOf(`transaction ${count}`);
      const amount = String(units);
      const says = { TransactionType: 'Payment', Account: from, Destination: to, Amount: amount, hash: txid };
      next.push({
        tx: { ...says, ...(tag === undefined ? {} : { DestinationTag: tag }), ...tx },
        meta: { TransactionResult: 'tesSUCCESS', delivered_amount: amount, ...meta },
      });
      return txid;
    },
    validate(times = 1) {
      for (let left = times; left > 0; left -= 1) {
        ledgers.push(next);
        next = [];
      }
    },
    kill: close,
    async restart() {
      server = await listen(port);
    },
    close,
  };
  return self;
}
