import type { Network } from '@tallystick/contract/networks';
import { pino } from 'pino';
import type { Config } from '../../config/config.ts';
import { type Context, createContext } from '../../context.ts';
import type { WayIn } from '../../modules/funding/service.ts';
import type { Logger } from '../../platform/logger.ts';
import { watchersOf } from '../../work.ts';
import { newTxid, operator } from '../money.ts';
import { lightHashing, type TestApp } from '../start-app.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from './seeds.ts';

const wallet = masterKeyOf(publishedWords);
/** What an operator's hardware wallet would show for a test's Bitcoin, and for every EVM network. */
export const bitcoinKey = publicKeyAt(wallet, "m/84'/1'/0'", 'vpub');
export const evmKey = publicKeyAt(wallet, "m/44'/60'/0'", 'xpub');

type ChainSettings = Pick<Config, 'nodeUrls'> & Partial<Pick<Config, 'chainIds' | 'priceApiBase'>>;

export interface ChainServer {
  context: Context;
  /** Everything that the chains have, at once: what a server does by itself every two seconds. */
  read(): Promise<void>;
  /** As after a crash: what it had in memory is gone. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Another server on a test's database that has nodes, and reads them only when it is told to. */
export async function startChainServer(
  test: TestApp,
  settings: ChainSettings,
  { logger = pino({ level: 'silent' }) }: { logger?: Logger } = {},
): Promise<ChainServer> {
  const { config, inbox } = test.context;
  const open = () =>
    createContext(
      { ...config, smtpUrl: inbox?.smtpUrl, bitcoinNetwork: 'regtest', ...settings },
      {
        clock: test.clock,
        logger,
        durabilityUnchecked: true,
        hashingCost: lightHashing,
      },
    );
  let context = await open();
  let readers = context.networks.readers(watchersOf(context));
  return {
    get context() {
      return context;
    },
    async read() {
      for (const read of readers) await read();
    },
    async restart() {
      await context.close();
      context = await open();
      readers = context.networks.readers(watchersOf(context));
    },
    close: () => context.close(),
  };
}

/** Where a way in is paid to, asked for by one operator and agreed to by another. */
export async function setWayIn(
  { funding }: Pick<Context, 'funding'>,
  paymentname: string,
  way: Partial<WayIn>,
): Promise<void> {
  const method = (await funding.allPaymentMethods()).find((each) => each.paymentname === paymentname);
  const whole = { source: 'derived', paymentaddress: '', key: null, ...way } as const;
  await funding.proposeAddress({ methodId: method?.id ?? '', ...whole, actor: operator('ada') });
  const waiting = (await funding.waitingAddresses()).find(({ methodId }) => methodId === method?.id);
  await funding.agreeAddress({ id: waiting?.id ?? '', actor: operator('ben') });
}

/** What investors and operators do in these tests. */
export function dealings(server: () => Pick<Context, 'funding' | 'ledger' | 'owner'>) {
  return {
    asked: (userId: string, dollars: number, paymentname = 'Bitcoin') =>
      server().funding.askForFunding({
        userId,
        paymentname,
        amountCents: BigInt(Math.round(dollars * 100)),
        idempotencyKey: null,
      }),
    /** Where an investor is told to send. */
    async payTo(userId: string, paymentname = 'Bitcoin') {
      const methods = await server().funding.paymentMethods({ userId });
      const method = methods.find((each) => each.paymentname === paymentname);
      return { address: method?.paymentaddress ?? '', tag: Number(method?.tag ?? 0n) };
    },
    wallet: async (userId: string) => (await server().ledger.summary({ userId })).availableCents,
    /** The oldest first. */
    requests: async (userId: string) =>
      (await server().funding.pageOfRequests({ userId, status: undefined, page: 1 })).requests.toReversed(),
    /** All that the chain shows, in the order in which it was found. */
    async payments(network: Network) {
      const { rows } = await server().owner.query<{ state: string; txid: string; lost: boolean }>(
        `select state, txid, lost_at is not null as lost from network_payments where network = $1 order by id`,
        [network],
      );
      return rows;
    },
    confirm: (
      requestId: string,
      given: { receivedCents: bigint; chainTxid?: string; chainOutput?: number | null; by: string },
    ) =>
      server().funding.confirmFunding({
        requestId,
        receivedCents: given.receivedCents,
        chainTxid: given.chainTxid ?? newTxid(),
        chainOutput: given.chainOutput ?? null,
        actor: operator(given.by),
        idempotencyKey: null,
      }),
  };
}

/** So many coins, in the smallest parts of one that has so many decimals. */
export const units = (coins: number, decimals: number): bigint =>
  BigInt(Math.round(coins * 1e6)) * 10n ** BigInt(decimals - 6);
export const satoshi = (coins: number): bigint => BigInt(Math.round(coins * 1e8));
