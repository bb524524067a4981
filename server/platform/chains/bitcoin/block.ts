import { hash } from 'node:crypto';
import { type Block, outpointKey, type Payment, type Spend, type Watched } from '../chain.ts';

const headerBytes = 80;
const unitsMax = 21_000_000n * 100_000_000n;
/** No transaction is smaller than this, so no block has more of them than its size allows. */
const transactionBytesMin = 60;
const inputBytesMin = 41;
const outputBytesMin = 9;

/** What a node gave as a block is none, or not the one that was asked for. */
export class BadBlock extends Error {}

/** Reads forward through bytes; what would be beyond the end is a bad block and no crash. */
class Reader {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  skip(count: number): void {
    if (count > this.left) throw new BadBlock('it ends too early');
    this.at += count;
  }

  take(count: number): Buffer {
    this.skip(count);
    return this.bytes.subarray(this.at - count, this.at);
  }

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  uint64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  /** How many things follow, of which each has at least so many bytes. */
  count(bytesMin: number): number {
    const first = this.take(1)[0] ?? 0;
    const value =
      first < 0xfd
        ? first
        : first === 0xfd
          ? this.take(2).readUInt16LE()
          : first === 0xfe
            ? this.uint32()
            : Number(this.uint64());
    if (value * bytesMin > this.left) throw new BadBlock('it counts more than it has');
    return value;
  }

  skipCounted(): void {
    this.skip(this.count(1));
  }
}

const sha256d = (data: Buffer): Buffer => hash('sha256', hash('sha256', data, 'buffer'), 'buffer');
/** Hashes are computed in one order and shown in the other. */
const shown = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex');

interface Input {
  coin: string;
}

interface Output {
  script: string;
  units: bigint;
}

interface Transaction {
  id: Buffer;
  inputs: Input[];
  outputs: Output[];
}

/**
 * The id of a transaction is the hash of it without its witnesses, so those are cut out where it has some: between the
 * outputs and the last four bytes, and the two bytes that announce them.
 */
function readTransaction(reader: Reader): Transaction {
  const start = reader.at;
  reader.skip(4);
  const hasWitness = reader.left > 1 && reader.bytes[reader.at] === 0 && reader.bytes[reader.at + 1] === 1;
  if (hasWitness) reader.skip(2);
  const body = reader.at;
  const inputs: Input[] = [];
  for (let left = reader.count(inputBytesMin); left > 0; left -= 1) {
    const txid = shown(reader.take(32));
    inputs.push({ coin: outpointKey(txid, reader.uint32()) });
    reader.skipCounted();
    reader.skip(4);
  }
  const outputs: Output[] = [];
  for (let left = reader.count(outputBytesMin); left > 0; left -= 1) {
    const units = reader.uint64();
    if (units > unitsMax) throw new BadBlock('it pays more than there can be');
    outputs.push({ units, script: reader.take(reader.count(1)).toString('hex') });
  }
  const bodyEnd = reader.at;
  if (hasWitness) {
    for (let left = inputs.length; left > 0; left -= 1) {
      for (let items = reader.count(1); items > 0; items -= 1) reader.skipCounted();
    }
  }
  reader.skip(4);
  const { bytes, at } = reader;
  const bare = hasWitness
    ? Buffer.concat([
        bytes.subarray(start, start + 4),
        bytes.subarray(body, bodyEnd),
        bytes.subarray(at - 4, at),
      ])
    : bytes.subarray(start, at);
  return { id: sha256d(bare), inputs, outputs };
}

/** Twice the same in a pair would let other transactions have the same root (CVE-2012-2459). */
function merkleRoot(ids: Buffer[]): Buffer {
  let row = ids;
  while (row.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < row.length; at += 2) {
      const left = row[at] as Buffer;
      const right = row[at + 1];
      if (right && left.equals(right)) throw new BadBlock('it has a transaction twice');
      above.push(sha256d(Buffer.concat([left, right ?? left])));
    }
    row = above;
  }
  return row[0] as Buffer;
}

interface Asked {
  hash: string;
  height: number;
}

/**
 * Takes a raw block apart and keeps what concerns us. Its header must have the hash that was asked for and its
 * transactions the root that the header names: in a block of the real chain nothing can be left out or made up. Whether
 * anybody has worked for a block is not looked at; that is the node's to check.
 */
export function readBlock(raw: Buffer, { hash: askedHash, height }: Asked, watched: Watched): Block {
  const reader = new Reader(raw);
  const header = reader.take(headerBytes);
  if (shown(sha256d(header)) !== askedHash)
    throw new BadBlock('it does not have the hash that was asked for');
  const transactions: Transaction[] = [];
  for (let left = reader.count(transactionBytesMin); left > 0; left -= 1) {
    transactions.push(readTransaction(reader));
  }
  if (reader.left > 0) throw new BadBlock('it goes on after its end');
  if (transactions.length === 0) throw new BadBlock('it has no transaction');
  if (!merkleRoot(transactions.map(({ id }) => id)).equals(header.subarray(36, 68))) {
    throw new BadBlock('its transactions are not those of its header');
  }
  return {
    height,
    hash: askedHash,
    parentHash: shown(header.subarray(4, 36)),
    time: new Date(header.readUInt32LE(68) * 1000),
    ...matched(transactions, watched),
  };
}

function matched(transactions: Transaction[], { destinations, coins }: Watched) {
  const payments: Payment[] = [];
  const spends: Spend[] = [];
  // A coin may come to us and leave again in one block.
  const coinsOfThisBlock = new Set<string>();
  for (const { id, inputs, outputs } of transactions) {
    const from = inputs
      .map(({ coin }) => coin)
      .filter((coin) => coins.has(coin) || coinsOfThisBlock.has(coin));
    const isOurs = outputs.map(({ script, units }) => units > 0n && destinations.has(script));
    if (from.length === 0 && !isOurs.includes(true)) continue;
    const txid = shown(id);
    const pays = outputs.map(({ script, units }, output) => ({
      txid,
      output,
      destination: script,
      tag: null,
      units,
      failed: false,
    }));
    const toUs = pays.filter(({ output }) => isOurs[output]);
    for (const { output } of toUs) coinsOfThisBlock.add(outpointKey(txid, output));
    payments.push(...toUs);
    if (from.length > 0) spends.push({ txid, from, pays });
  }
  return { payments, spends };
}
