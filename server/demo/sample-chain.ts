import { hash, randomUUID, randomUUIDv7 } from 'node:crypto';
import { hasOutputs, spelledTxid } from '@tallystick/contract/chain';
import type { Cents } from '@tallystick/contract/money';
import { type Network, networkOf, networks } from '@tallystick/contract/networks';
import type { SimplePrice } from '@tallystick/contract/prices';
import type { Funding } from '../modules/funding/service.ts';
import type { Networks } from '../modules/networks/service.ts';
import type { Prices } from '../modules/prices/service.ts';
import { AppError } from '../platform/app-error.ts';
import { type Actor, writeAudit } from '../platform/audit/audit.ts';
import { centsToUnits, unitsToCents } from '../platform/chains/units.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, inTransaction } from '../platform/postgres/db.ts';
import { lockNames } from '../platform/postgres/locks.ts';
import {
  keepAddress,
  keepPayment,
  lockRequest,
  networksWaiting,
  type SampleRequest,
} from './sample-store.ts';

/** So long after it was sent a payment has the confirmations that its network asks for: a demo is not left waiting. */
const confirmedMs = 8_000;
const begunMs = Date.UTC(2026, 0);
/** Below every block of a real chain: should there be a node one day, nothing that it says touches what was a sample. */
const firstHeight = -2_000_000_000;

const blockMs = (network: Network) => confirmedMs / networks[network].confirmations;

/** How high a network's sample chain is. It grows by the clock, so whoever asks again finds the same chain. */
export const sampleHeight = (network: Network, now: Date): number =>
  firstHeight + Math.floor((now.getTime() - begunMs) / blockMs(network));

/** Half of it noughts: nobody takes it for a payment that was made. */
export function sampleTxid(network: Network, id: string = randomUUID()): string {
  const digits = id.replaceAll('-', '').padStart(64, '0');
  return spelledTxid(network, digits) ?? `0x${digits}`;
}

/** What an address of the network looks like to whoever reads it; nobody has its key. */
function sampleDestination(network: Network, { userId, paymentaddress }: SampleRequest) {
  const { family } = networks[network];
  const digits = hash('sha256', `${userId} ${paymentaddress}`);
  if (family === 'xrp') return { family, match: paymentaddress, tag: BigInt(`0x${digits.slice(0, 8)}`) };
  const prefix = family === 'bitcoin' ? '0014' : '0x';
  return { family, match: prefix + digits.slice(0, 40), tag: null };
}

function priceOf(network: Network, prices: SimplePrice): number {
  const { id, name } = networks[network].coin;
  const usd = prices[id]?.usd;
  if (!usd) throw new AppError('prices_unavailable', `The price of ${name} cannot be read at the moment.`);
  return usd;
}

/** The least that is worth the amount, which is rounded down to it again. */
function coinsFor(cents: Cents, network: Network, price: number): bigint {
  const { decimals } = networks[network].coin;
  const units = centsToUnits(cents, decimals, price);
  return unitsToCents(units, decimals, price) < cents ? units + 1n : units;
}

interface SampleNeeds {
  db: Db;
  clock: Clock;
  prices: Prices;
  networks: Networks;
  funding: Funding;
}

interface SendSample {
  requestId: string;
  /** Whose request it has to be; null when it may be anybody's. */
  userId: string | null;
  actor: Actor;
}

/**
 * A chain for each network that has no node, so that a demo shows how payments are seen, confirmed and added. All that
 * is paid on it is what somebody pressed a button for; what becomes of that is what becomes of a real payment.
 */
export function createSampleChain({ db, clock, prices, networks: chains, funding }: SampleNeeds) {
  function networkFor({ coin, sample }: SampleRequest): Network {
    const network = networkOf(coin);
    if (network && sample && !chains.isWatched(network)) return network;
    throw new AppError('outside_range', 'Sample payments go to sample addresses only.');
  }

  function refuseDecided({ status, firstConfirmedBy, paidBy }: SampleRequest): void {
    if (status !== 'pending') throw new AppError('already_decided', `This request was ${status} already.`);
    if (firstConfirmedBy || paidBy) {
      throw new AppError('already_decided', 'A payment for this request is known already.');
    }
  }

  /** What whoever reads a real chain does after each look at it. */
  async function read(): Promise<void> {
    for (const network of await networksWaiting(db)) {
      await chains.price(network);
      await funding.takeIn(network);
    }
  }

  return {
    /** Pays exactly this request, once, with what it is worth at the price of this moment. */
    async sendPayment({ requestId, userId, actor }: SendSample): Promise<void> {
      const { value: usd } = await prices.simplePrice();
      await inTransaction(db, async (tx) => {
        await lockNames(tx, ['addresses']);
        const request = await lockRequest(tx, requestId);
        if (!request || (userId !== null && request.userId !== userId)) {
          throw new AppError('not_found', 'There is no such funding request.');
        }
        const network = networkFor(request);
        const txid = sampleTxid(network, requestId);
        if (request.paidBy === txid) return;
        refuseDecided(request);
        const now = clock.now();
        const { paymentaddress: address, userId: ownerId, amountCents, transactionid } = request;
        const destination = { ...sampleDestination(network, request), address, ownerId };
        const height = sampleHeight(network, now) + 1;
        const payment = {
          id: randomUUIDv7(),
          network,
          txid,
          output: hasOutputs(network) ? 0 : null,
          addressId: await keepAddress(tx, destination, now),
          units: coinsFor(amountCents, network, priceOf(network, usd)),
          height,
          blockHash: hash('sha256', `${network} ${height}`),
          blockAt: now,
        };
        await keepPayment(tx, requestId, payment, now);
        const details = { transactionid, chainTxid: txid };
        await writeAudit(tx, { actor, action: 'sample-payment.sent', subjectId: ownerId, details }, now);
      });
      // It is on the screen with its worth before anybody has looked up from the button.
      await read();
    },

    read,
  };
}

export type SampleChain = ReturnType<typeof createSampleChain>;
