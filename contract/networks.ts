export type NetworkFacts = {
  name: string;
  article: 'a' | 'an';
  coin: {
    /** The price service's name of it. */
    id: string;
    name: string;
    ticker: string;
    /** How small its smallest part is. */
    decimals: number;
    /** With how many its price is shown. */
    priceDecimals: number;
  };
  /** Before the id of a transaction: where anyone can look it up. */
  explorer: string;
  /** After so many blocks a payment is there to stay. */
  confirmations: number;
} & (
  | {
      family: 'bitcoin';
      /** What a link to pay begins with (BIP 21). */
      scheme: string;
      /** Whether its chain can be read, and addresses be made from keys: Bitcoin's relatives have blocks and keys of their own. */
      isReadable: boolean;
      /** The word that its segwit addresses begin with, and the first byte of its base58 ones. */
      address: { looks: string; prefix: string; versions: readonly number[] };
    }
  | {
      family: 'evm';
      address: { looks: string };
      /** What its main chain calls itself. */
      chainId?: number;
    }
  | {
      family: 'xrp';
      address: { looks: string };
      /** What its main network calls itself; its test networks count up from there. */
      chainId: number;
    }
);

/**
 * The networks that payments come in and go out on, each with its coin, in the order they are shown. A further one of
 * a known family begins here: addresses, transaction ids, prices, forms and texts all read this table. Tests then ask for
 * the variables of one that can be read to be explained.
 */
export const networks = {
  bitcoin: {
    name: 'Bitcoin',
    article: 'a',
    coin: { id: 'bitcoin', name: 'Bitcoin', ticker: 'BTC', decimals: 8, priceDecimals: 2 },
    family: 'bitcoin',
    scheme: 'bitcoin',
    isReadable: true,
    // Pay to a key, pay to a script.
    address: { looks: 'starts with bc1, 1 or 3', prefix: 'bc', versions: [0x00, 0x05] },
    explorer: 'https://mempool.space/tx/',
    confirmations: 2,
  },
  ethereum: {
    name: 'Ethereum',
    article: 'an',
    coin: { id: 'ethereum', name: 'Ethereum', ticker: 'ETH', decimals: 18, priceDecimals: 2 },
    family: 'evm',
    address: { looks: 'starts with 0x' },
    chainId: 1,
    explorer: 'https://etherscan.io/tx/',
    confirmations: 12,
  },
  bnb: {
    name: 'BNB Smart Chain',
    article: 'a',
    coin: { id: 'binancecoin', name: 'BnB', ticker: 'BNB', decimals: 18, priceDecimals: 2 },
    family: 'evm',
    address: { looks: 'starts with 0x' },
    chainId: 56,
    explorer: 'https://bscscan.com/tx/',
    confirmations: 15,
  },
  xrp: {
    name: 'XRP Ledger',
    article: 'an',
    coin: { id: 'ripple', name: 'Ripple', ticker: 'XRP', decimals: 6, priceDecimals: 4 },
    family: 'xrp',
    address: { looks: 'starts with r' },
    chainId: 0,
    explorer: 'https://livenet.xrpl.org/transactions/',
    confirmations: 1,
  },
} as const satisfies Record<string, NetworkFacts>;

export type Network = keyof typeof networks;
type Coin = (typeof networks)[Network]['coin'];
export type CoinId = Coin['id'];

export const networkIds = Object.keys(networks) as Network[];
export const coins: readonly Coin[] = networkIds.map((id) => networks[id].coin);

/** Whether its chain can be read, if there is a node, and addresses be made from keys where investors have their own. */
export function isReadable(network: Network): boolean {
  const facts: NetworkFacts = networks[network];
  return facts.family !== 'bitcoin' || facts.isReadable;
}

/** Payment methods name their coin as the price service does, withdrawal methods name the network. */
export function networkOf(coinOrNetwork: string): Network | null {
  return networkIds.find((id) => id === coinOrNetwork || networks[id].coin.id === coinOrNetwork) ?? null;
}

export function coinOf(coinOrNetwork: string): Coin | null {
  const network = networkOf(coinOrNetwork);
  return network && networks[network].coin;
}

/** What is no id is a name already: a sample method says in words which test network it is on. */
export function networkNameOf(coinOrNetwork: string): string {
  const network = networkOf(coinOrNetwork);
  return network ? networks[network].name : coinOrNetwork;
}

export const anyOf = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');
export const anyCoin = anyOf(coins.map(({ name }) => name));

// Of prices, but here: the landing page shows them and is spared the schemas of `prices.ts`.
export const priceRefreshSeconds = 60;
/** Set to `sample` when the figures are the bundled ones of demo mode. */
export const priceSourceHeader = 'price-source';
