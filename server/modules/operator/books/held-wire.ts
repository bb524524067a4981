import type { CallAnswer } from '@tallystick/contract/call';
import { toWire } from '@tallystick/contract/money';
import { type Network, networks } from '@tallystick/contract/networks';
import type * as calls from '@tallystick/contract/operator/books';
import { unitsToCents, unitsToDecimal } from '../../../platform/chains/units.ts';
import type { ColdChangeRow, ColdRow, HeldOnChain, Networks } from '../../networks/service.ts';
import type { AddressSigning } from '../../proof/service.ts';
import type { Console } from '../service.ts';
import { signingToWire } from '../signing-wire.ts';

type Books = Awaited<ReturnType<Console['books']>>;
type Held = CallAnswer<typeof calls.books>['held'];
type States = Awaited<ReturnType<Networks['states']>>;

interface Beside {
  waiting: ColdChangeRow[];
  states: States;
  nameOf(id: string): string;
  signingOf: Awaited<ReturnType<AddressSigning['signings']>>;
}

const centsOrNull = (cents: bigint | null) => (cents === null ? null : toWire(cents));
const isoOrNull = (at: Date | null | undefined) => at?.toISOString() ?? null;
export const coinsOf = (network: Network, units: bigint): string =>
  unitsToDecimal(units, networks[network].coin.decimals);

/** What is held, from where each figure is and how old. */
export function heldToWire({ held, cold }: Books, beside: Beside): Held {
  const { waiting, states, nameOf } = beside;
  const prices = new Map(held.networks.map(({ network, price }) => [network, price?.price]));
  return {
    networks: held.networks.map((row) => networkToWire(row, states)),
    methods: held.methods.map((row) => ({
      methodid: row.methodId,
      paymentname: row.paymentname,
      coin: row.coin,
      amount: centsOrNull(row.amountCents),
      enteredat: isoOrNull(row.enteredAt),
      enteredby: row.enteredBy && nameOf(row.enteredBy),
    })),
    cold: cold.map((row) => coldToWire(row, prices.get(row.network), beside)),
    coldchanges: waiting.map(({ id, askedBy, askedAt, network, address, label, removes, coins }) => ({
      _id: id,
      askedby: nameOf(askedBy),
      askedbyid: askedBy,
      askedat: askedAt.toISOString(),
      network,
      address,
      label,
      removes,
      coins,
    })),
    typed: centsOrNull(held.typedCents),
    together: centsOrNull(held.togetherCents),
  };
}

function networkToWire(row: HeldOnChain, states: States): calls.HeldNetwork {
  const { network, price } = row;
  const state = states.get(network);
  return {
    network,
    coins: coinsOf(network, row.units),
    coldcoins: coinsOf(network, row.coldUnits),
    amount: centsOrNull(row.cents),
    price: price?.price ?? null,
    priceat: isoOrNull(price?.priceAt),
    pricefresh: price?.isFresh ?? false,
    height: row.height,
    readat: isoOrNull(row.readAt),
    unlooked: row.unlooked,
    state: state?.state ?? null,
    said: state?.said ?? null,
  };
}

function coldToWire(
  row: ColdRow,
  price: string | undefined,
  { nameOf, signingOf }: Beside,
): calls.ColdAddress {
  const { network, units } = row;
  const isWorth = units !== null && price !== undefined;
  return {
    _id: row.id,
    network,
    address: row.address,
    label: row.label,
    coins: units === null ? null : coinsOf(network, units),
    amount: isWorth ? toWire(unitsToCents(units, networks[network].coin.decimals, price)) : null,
    height: row.height,
    fromheight: row.heightFrom,
    coinsnamed: row.coinsNamed,
    listedat: row.listedAt.toISOString(),
    listedby: nameOf(row.listedBy),
    agreedby: nameOf(row.agreedBy),
    signing: signingToWire(signingOf(network, row.address), nameOf),
  };
}
