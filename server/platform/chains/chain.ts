/** Destinations that are ours, by a key that is cheap to compare; a Set of keys will do, or a Map. */
export interface Keys {
  has(key: string): boolean;
  keys(): Iterable<string>;
}

export interface Watched {
  /** Bitcoin: the script in hex. EVM: the address in small letters. XRP: the classic address. */
  destinations: Keys;
  /** Bitcoin only: our coins that are not spent yet, each as `outpointKey` writes it. */
  coins: Pick<Keys, 'has'>;
}

export interface Payment {
  txid: string;
  /** The number of the output on Bitcoin, else null: there a transaction is one payment. */
  output: number | null;
  /** The key of the destination, as in `Watched`. */
  destination: string;
  /** XRP's destination tag. */
  tag: number | null;
  /** In the coin's smallest part: satoshi, wei, drops. On XRP what was delivered. */
  units: bigint;
  /** It is on the chain, but it moved nothing. */
  failed: boolean;
}

/** A transaction that coins of ours leave by. */
export interface Spend {
  txid: string;
  /** The coins that are gone (`outpointKey`) on Bitcoin, else the key of the address it was sent from. */
  from: string[];
  /** All it pays, to whomever, change to ourselves included. */
  pays: Payment[];
}

export interface Block {
  height: number;
  hash: string;
  parentHash: string;
  time: Date;
  /** To watched destinations. */
  payments: Payment[];
  spends: Spend[];
}

interface Tip {
  height: number;
  hash: string;
  /** The node is still catching up with its network and says so. */
  isBehind: boolean;
}

/** What a watcher that keeps a cursor (height, hash) needs of a network; all of it throws `NodeError` only. */
export interface Chain {
  /** The newest block. Whoever asks has also made sure that the node follows our chain: another one throws. */
  tip(): Promise<Tip>;
  /** Null when the node's chain does not reach so high. */
  hashAt(height: number): Promise<string | null>;
  /**
   * The blocks from one height to another, both included, in order; each follows from the one before. XRP leaves out
   * those in between that have nothing of ours: they are final, so nobody needs their hashes.
   */
  blocks(span: { from: number; to: number }, watched: Watched): Promise<Block[]>;
  /** How many blocks may be asked for at once. */
  spanMax: number;
}

/** A network whose node knows what an address holds. */
export interface AccountChain extends Chain {
  /** What each destination held after a block, in their order. */
  balances(destinations: string[], height: number): Promise<bigint[]>;
}

/** A coin that lies on a chain and was not spent. */
export interface UnspentCoin {
  destination: string;
  units: bigint;
  height: number;
  blockHash: string;
  blockAt: Date;
}

/** A network whose node knows which coins are there, and not whose they are. */
export interface CoinChain extends Chain {
  /** As of the newest block; null when it is spent or was never there. */
  coinAt(txid: string, output: number): Promise<UnspentCoin | null>;
}

export const outpointKey = (txid: string, output: number): string => `${txid}:${output}`;
