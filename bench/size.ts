/** How much is done. The quick one is over in a minute and a half, or in two on a slow machine. */
export interface Size {
  rounds: number;
  /** Of money over HTTP and of pgbench; the others take half as long. */
  secondsEach: number;
  warmSeconds: number;
  investors: number;
  /** At least as many branches as clients: the clients shall not wait for each other. */
  pgbenchScale: number;
  /** How many investments are due at once. */
  settled: number;
  /** For how long letters are sent at most. */
  letterSeconds: number;
  /** How many entries the journals have whose speed is compared. */
  growth: { few: number; many: number; asked: number };
  /** How many entries the lists have whose pages are compared. */
  list: { few: number; many: number; asked: number };
  starts: number;
  /** How often each full block is read, and how many addresses are looked for in that of an EVM network. */
  blocks: { times: number; evmAddresses: number };
  /** To how many investors it is proven what they are owed. */
  proven: number;
}

export const quick: Size = {
  rounds: 3,
  secondsEach: 2,
  warmSeconds: 1,
  investors: 10_000,
  pgbenchScale: 32,
  settled: 8_000,
  letterSeconds: 1,
  growth: { few: 50_000, many: 200_000, asked: 40 },
  list: { few: 100, many: 100_000, asked: 10 },
  starts: 3,
  blocks: { times: 3, evmAddresses: 10_000 },
  proven: 10_000,
};

export const full: Size = {
  rounds: 3,
  secondsEach: 10,
  warmSeconds: 3,
  investors: 10_000,
  pgbenchScale: 50,
  settled: 100_000,
  letterSeconds: 20,
  growth: { few: 50_000, many: 5_000_000, asked: 200 },
  list: { few: 100, many: 100_000, asked: 50 },
  starts: 3,
  blocks: { times: 15, evmAddresses: 100_000 },
  proven: 1_000_000,
};
