interface Eip681 {
  address: string;
  /** Without it a wallet would pay on whichever network it happens to be. */
  chainId: number;
  /** Null asks for no particular amount. */
  units: bigint | null;
}

/** What wallets of every EVM network read, each by its chain: the scheme is the first one's name on all of them. */
export function eip681({ address, chainId, units }: Eip681): string {
  return `ethereum:${address}@${chainId}${units === null ? '' : `?value=${units}`}`;
}
