import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Amounts, amountsToBytes, createTreeHash, nodeBytes, seedOf } from './rules.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/trust.md'), 'utf8');
const block = /^```liabilities\n([^`]*)^```$/m.exec(text)?.[1] ?? '';
const about =
  /of the log `(?<origin>\S+)`, statement (?<number>\d+) of (?<time>\S+);/.exec(text)?.groups ?? {};
const leafLine =
  /^leaf (?<at>\d+) (?<byte>[0-9a-f]{2}) (?<piece>\d+)\/(?<pieces>\d+) (?<amounts>\d+ \d+ \d+ \d+)(?: (?<id>\S+@\S+))? = (?<hash>[0-9a-f]{64})$/;
const nodeLine = /^node (?<height>\d+)\/(?<at>\d+) (?<amounts>\d+ \d+ \d+ \d+) = (?<hash>[0-9a-f]{64})$/;
const amountsOf = (words = '') => amountsToBytes(words.split(' ').map(BigInt) as Amounts);

it('the worked example of docs/trust.md is what the code computes', () => {
  const { origin = '', number = '0', time = '' } = about;
  const seed = seedOf({ origin, number: BigInt(number), time });
  const tree = createTreeHash(seed);
  const [first, ...lines] = block.trimEnd().split('\n');
  expect(first).toBe(`S ${seed.toString('hex')}`);
  const nodes = new Map<string, Buffer>();
  for (const line of lines) {
    const leaf = leafLine.exec(line)?.groups;
    const { height = '0', at = '', amounts, hash = '' } = leaf ?? nodeLine.exec(line)?.groups ?? {};
    const node = Buffer.alloc(nodeBytes);
    if (leaf) {
      const secret = Buffer.alloc(32, Number.parseInt(leaf.byte ?? '', 16));
      const [piece, pieces] = [Number(leaf.piece), Number(leaf.pieces)];
      tree.leaf(node, 0, {
        secret,
        piece,
        pieces,
        amounts: amountsOf(amounts),
        id: Buffer.from(leaf.id ?? ''),
      });
    } else {
      const below = [0, 1].map(
        (n) => nodes.get(`${Number(height) - 1}/${2 * Number(at) + n}`) ?? Buffer.alloc(0),
      );
      tree.above(Number(height), Buffer.concat(below), 0, node, 0);
    }
    expect([line, node.toString('hex')]).toEqual([line, hash + amountsOf(amounts).toString('hex')]);
    nodes.set(`${height}/${at}`, node);
  }
  expect(nodes.size).toBe(7);
});
