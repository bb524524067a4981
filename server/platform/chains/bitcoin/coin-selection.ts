import { outpointKey } from '../chain.ts';

/** Something cannot be paid, in words for the operator who wants to. */
export class PayoutRefusal extends Error {}

export interface Outpoint {
  txid: string;
  output: number;
  units: bigint;
}

interface Selection<Coin> {
  coins: Coin[];
  feeUnits: bigint;
  /** Null when what is left is not worth an output of its own; then it is part of the fee. */
  changeUnits: bigint | null;
  /** How large the transaction will be at most, once it is signed. */
  vbytes: number;
}

interface Order<Coin> {
  coins: Coin[];
  /** Those that must be among the inputs, each as `outpointKey` writes it. */
  mustSpend: string[];
  /** The bytes of each output's script and what it is paid. */
  outputs: { scriptBytes: number; units: bigint }[];
  changeScript: Uint8Array;
  satPerVbyte: number;
}

const rateMin = 1;
const rateMax = 5000;
/** Nodes pass on no transaction that weighs more. */
const weightMax = 400_000;
/** An input of ours: its outpoint, no script, its sequence; as a witness a signature of 72 bytes at most and a key. */
const inputWeight = 4 * 41 + 108;

const countBytes = (count: number) => (count < 0xfd ? 1 : 3);

function vbytesOf(inputs: number, scriptBytes: number[]): number {
  const outputs = scriptBytes.reduce((sum, bytes) => sum + 8 + countBytes(bytes) + bytes, 0);
  const frame = 4 + countBytes(inputs) + countBytes(scriptBytes.length) + 4;
  const weight = 4 * (frame + outputs) + 2 + inputs * inputWeight;
  if (weight > weightMax) throw new PayoutRefusal('This is too much for one transaction. Pay in several.');
  return Math.ceil(weight / 4);
}

/** What a node considers too little for an output: less than it costs to spend it, at 3 satoshi a byte. */
export function dustUnits(script: Uint8Array): bigint {
  const isSegwit = (script[0] === 0x00 || (script[0] ?? 0) >= 0x51) && script.length - 2 === script[1];
  return 3n * BigInt(8 + 1 + script.length + (isSegwit ? 67 : 148));
}

/**
 * Chooses which coins pay: those that must, then the largest first until it is enough. That keeps transactions small and
 * is the same every time; small coins stay behind until they are needed.
 */
export function selectCoins<Coin extends Outpoint>(order: Order<Coin>): Selection<Coin> {
  const { mustSpend, outputs, changeScript, satPerVbyte } = order;
  if (!(satPerVbyte >= rateMin && satPerVbyte <= rateMax)) {
    throw new PayoutRefusal(`A fee is between ${rateMin} and ${rateMax} satoshi a byte.`);
  }
  const milliPerVbyte = BigInt(Math.round(satPerVbyte * 1000));
  const feeOf = (vbytes: number) => (BigInt(vbytes) * milliPerVbyte + 999n) / 1000n;
  const scripts = outputs.map(({ scriptBytes }) => scriptBytes);
  const payUnits = outputs.reduce((sum, { units }) => sum + units, 0n);

  const waiting = inOrder(order.coins, mustSpend);
  const chosen: Coin[] = waiting.splice(0, mustSpend.length);
  let sum = chosen.reduce((all, { units }) => all + units, 0n);
  const size = (withChange: boolean) =>
    vbytesOf(chosen.length, withChange ? [...scripts, changeScript.length] : scripts);
  while (chosen.length === 0 || sum < payUnits + feeOf(size(false))) {
    const next = waiting.shift();
    if (!next) {
      const missing = payUnits + feeOf(size(false)) - sum;
      throw new PayoutRefusal(`The coins are ${missing} satoshi short of the payments and their fee.`);
    }
    chosen.push(next);
    sum += next.units;
  }
  const changeUnits = sum - payUnits - feeOf(size(true));
  return changeUnits >= dustUnits(changeScript)
    ? { coins: chosen, feeUnits: feeOf(size(true)), changeUnits, vbytes: size(true) }
    : { coins: chosen, feeUnits: sum - payUnits, changeUnits: null, vbytes: size(false) };
}

function inOrder<Coin extends Outpoint>(coins: Coin[], mustSpend: string[]): Coin[] {
  const byKey = new Map(coins.map((coin) => [outpointKey(coin.txid, coin.output), coin]));
  if (byKey.size !== coins.length) throw new PayoutRefusal('A coin is named twice.');
  const first = new Set(mustSpend);
  if (first.size !== mustSpend.length || mustSpend.some((key) => !byKey.has(key))) {
    throw new PayoutRefusal('A coin that must be spent again is not among ours any more.');
  }
  const largest = [...byKey].sort(([oneKey, one], [otherKey, other]) => {
    if (first.has(oneKey) !== first.has(otherKey)) return first.has(oneKey) ? -1 : 1;
    if (one.units !== other.units) return one.units > other.units ? -1 : 1;
    return oneKey < otherKey ? -1 : 1;
  });
  return largest.map(([, coin]) => coin);
}
