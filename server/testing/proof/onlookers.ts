import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { state } from '@tallystick/contract/proof';
import { base64Of, utf8 } from '@tallystick/verify/bytes';
import { leafHash, rootOf } from '@tallystick/verify/merkle';
import { bundlesOf, tilesOf } from '@tallystick/verify/testing/tree';
import { consistencyFrom, type ReadTile } from '@tallystick/verify/tiles';
import type { Witness } from '../../../tools/witness/witness.ts';
import { call } from '../call.ts';
import type { TestApp } from '../start-app.ts';
import { logOf } from './investor-browser.ts';

/** What the witness answers to the head of a log, with the best proof that can be made for it. */
export async function witnessed(witness: Witness, read: ReadTile): Promise<number> {
  const note = new TextDecoder().decode(await read('checkpoint'));
  const [, sizeLine = '', rootLine = ''] = note.split('\n');
  const head = { size: Number(sizeLine), root: new Uint8Array(Buffer.from(rootLine, 'base64')) };
  const asked = (oldSize: number, proof: Uint8Array[]) =>
    witness.addCheckpoint([`old ${oldSize}`, ...proof.map(base64Of), '', note].join('\n'));
  const first = asked(0, []);
  if (first.status !== 409) return first.status;
  const oldSize = Number(first.body);
  if (oldSize > head.size) return asked(head.size, []).status;
  // The forger has no proof; that of their own log is the best that they can show.
  const hashes = await leavesOf(read, head.size);
  const own = { oldSize, oldRoot: rootOf(hashes.slice(0, oldSize)), newSize: head.size, newRoot: head.root };
  const found = await consistencyFrom(read, own);
  return asked(oldSize, 'wrong' in found ? [] : found.proof).status;
}

async function leavesOf(read: ReadTile, size: number): Promise<Uint8Array[]> {
  const tile = await read(size === 256 ? 'tile/0/000' : `tile/0/000.p/${size}`);
  return Array.from({ length: size }, (_, at) => tile.subarray(at * 32, (at + 1) * 32));
}

/** The log as the house could sign it for someone: other entries, the same key. */
export async function forked(test: TestApp, change: (entries: string[]) => string[]): Promise<ReadTile> {
  const { vkey } = await call(test, state, {});
  const { rows } = await test.context.owner.query('select entry from log_entries order by place');
  const entries = change(rows.map(({ entry }) => entry as string));
  const hashes = entries.map((entry) => leafHash(utf8(entry)));
  const key = createPrivateKey(readFileSync(join(test.context.config.dataDir, 'log', 'key')));
  const text = `${vkey.split('+')[0]}\n${entries.length}\n${base64Of(rootOf(hashes))}\n`;
  const note = `${text}\n\u2014 ${vkey.split('+')[0]} ${signedLine(key, vkey, text)}\n`;
  const files = new Map([...tilesOf(hashes), ...bundlesOf(entries), ['checkpoint', utf8(note)]]);
  return async (path) => files.get(path) ?? logOf(test)(path);
}

function signedLine(key: KeyObject, vkey: string, text: string): string {
  const id = Buffer.from(vkey.split('+')[1] ?? '', 'hex');
  return Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64');
}
