import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  checkpointText,
  findCosignature,
  logSignatures,
  noteOf,
  parseWitnessVkey,
  vkeyOf,
} from '../../server/modules/log/note-rules.ts';
import {
  appendLeaves,
  consistencyRanges,
  hashOf,
  leafHash,
  type Tile,
} from '../../server/modules/log/rules.ts';
import { serveWitness } from './serve.ts';
import { createWitness } from './witness.ts';

const dir = mkdtempSync(join(tmpdir(), 'tallystick-witness-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const origin = 'log.example/log';
const { privateKey: key } = generateKeyPairSync('ed25519');
const { privateKey: stranger } = generateKeyPairSync('ed25519');
const now = new Date('2026-11-16T08:00:00Z');

/** A log of so many entries; another letter makes another log. */
function logOf(letter: string) {
  const leaves = Array.from({ length: 600 }, (_, at) => leafHash(Buffer.from(`${letter} ${at}`)));
  const tiles: Tile[] = appendLeaves(0, [], leaves);
  const rootAt = (size: number) => hashOf({ start: 0, end: size }, tiles);
  return {
    text: (size: number) => checkpointText(origin, { size, root: rootAt(size) }),
    proof: (old: number, size: number) =>
      consistencyRanges(old, size).map((range) => hashOf(range, tiles).toString('base64')),
  };
}
const honest = logOf('a');
const forked = logOf('b');

let made = 0;
function newWitness(logs = [vkeyOf(origin, key)]) {
  made += 1;
  const home = join(dir, String(made));
  const open = () => createWitness({ name: 'witness.example/w1', dir: home, logs, now: () => now });
  return { home, open, witness: open() };
}
const bodyOf = (
  log: typeof honest,
  old: number,
  size: number,
  { by = key, proof = log.proof(old, size) } = {},
) => {
  const text = log.text(size);
  return [`old ${old}`, ...proof, '', noteOf(text, logSignatures(origin, text, [by]))].join('\n');
};

describe('a witness', () => {
  it('signs a log from its beginning on, as long as each step contains the one before', () => {
    const { witness } = newWitness();
    const signer = parseWitnessVkey(witness.vkey);
    let old = 0;
    for (const size of [1, 2, 3, 4, 7, 8, 100, 255, 256, 257, 511, 512, 600]) {
      const { status, body } = witness.addCheckpoint(bodyOf(honest, old, size));
      expect(status, `${old} to ${size}`).toBe(200);
      expect(findCosignature([body], honest.text(size), signer)?.at).toEqual(now);
      expect(findCosignature([body], honest.text(size - 1), signer)).toBeNull();
      old = size;
    }
    expect(witness.addCheckpoint(bodyOf(honest, 600, 600)).status).toBe(200);
  });

  it('checks every proof: from any size to any size, and nothing that was changed in it', () => {
    const sizes = [1, 2, 3, 5, 6, 8, 13, 16, 31, 64, 65];
    for (const old of sizes) {
      for (const size of sizes.filter((each) => each > old)) {
        const { witness } = newWitness();
        witness.addCheckpoint(bodyOf(honest, 0, old));
        const proof = honest.proof(old, size);
        const tries = proof.map((_, at) => proof.with(at, Buffer.alloc(32, 7).toString('base64')));
        tries.push(proof.slice(1), proof.slice(0, -1), [...proof, proof[0] ?? '']);
        for (const wrong of tries.filter((each) => each.length !== proof.length || each.length > 0)) {
          const { status } = witness.addCheckpoint(bodyOf(honest, old, size, { proof: wrong }));
          expect(status, `${old} to ${size}`).toBe(422);
        }
        expect(witness.addCheckpoint(bodyOf(honest, old, size)).status).toBe(200);
      }
    }
  });

  it('refuses a fork, keeps it as evidence, and goes on with the log it knows', () => {
    const { witness, home } = newWitness();
    witness.addCheckpoint(bodyOf(honest, 0, 5));
    const same = witness.addCheckpoint(bodyOf(forked, 5, 5));
    expect([same.status, same.type, same.body]).toEqual([409, 'text/x.tlog.size', '5\n']);
    expect(witness.addCheckpoint(bodyOf(forked, 5, 9)).status).toBe(422);
    expect(witness.addCheckpoint(bodyOf(forked, 0, 9)).status).toBe(409);
    const refused = readdirSync(join(home, 'refused'));
    expect(refused).toHaveLength(2);
    const notes = refused.map((file) => readFileSync(join(home, 'refused', file), 'utf8'));
    expect(notes.some((note) => note.startsWith(forked.text(9)))).toBe(true);
    expect(witness.addCheckpoint(bodyOf(honest, 5, 9)).status).toBe(200);
  });

  it('keeps the evidence of a fork also when it was sent much that is none before', () => {
    const { witness, home } = newWitness();
    witness.addCheckpoint(bodyOf(honest, 0, 5));
    const nonsense = [Buffer.alloc(32, 7).toString('base64')];
    for (let size = 6; size < 120; size += 1) {
      expect(witness.addCheckpoint(bodyOf(honest, 5, size, { proof: nonsense })).status).toBe(422);
    }
    expect(witness.addCheckpoint(bodyOf(forked, 5, 5)).status).toBe(409);
    const notes = readdirSync(join(home, 'refused')).map((file) =>
      readFileSync(join(home, 'refused', file), 'utf8'),
    );
    expect(notes.some((note) => note.startsWith(forked.text(5)))).toBe(true);
    expect(notes.length).toBeLessThan(110);
  });

  it('says which size it knows when it is told another, and never signs a smaller log', () => {
    const { witness } = newWitness();
    const conflict = (old: number, size: number) => {
      const { status, type, body } = witness.addCheckpoint(bodyOf(honest, old, size));
      return [status, type, body];
    };
    expect(conflict(3, 5)).toEqual([409, 'text/x.tlog.size', '0\n']);
    witness.addCheckpoint(bodyOf(honest, 0, 8));
    expect(conflict(5, 9)).toEqual([409, 'text/x.tlog.size', '8\n']);
    expect(conflict(3, 4)).toEqual([409, 'text/x.tlog.size', '8\n']);
    expect(witness.addCheckpoint(bodyOf(honest, 8, 4, { proof: [] })).status).toBe(400);
  });

  it('answers 404 to a log it does not know, 403 to what that log has not signed', () => {
    const { witness } = newWitness();
    expect(
      newWitness([vkeyOf('other.example/log', key)]).witness.addCheckpoint(bodyOf(honest, 0, 1)).status,
    ).toBe(404);
    expect(witness.addCheckpoint(bodyOf(honest, 0, 1, { by: stranger })).status).toBe(403);
    const body = bodyOf(honest, 0, 1);
    const [signature = ''] = logSignatures(origin, honest.text(1), [key]);
    const [wrong = ''] = logSignatures(origin, honest.text(2), [key]);
    expect(witness.addCheckpoint(body.replace(signature, wrong)).status).toBe(403);
    // Signed by a stranger, too, which is nothing to it.
    const [beside = ''] = logSignatures(origin, honest.text(1), [stranger]);
    expect(witness.addCheckpoint(body + beside).status).toBe(200);
  });

  it('knows a log by the old key and by the new one while it is being replaced', () => {
    const { witness } = newWitness([vkeyOf(origin, key), vkeyOf(origin, stranger)]);
    expect(witness.addCheckpoint(bodyOf(honest, 0, 3)).status).toBe(200);
    expect(witness.addCheckpoint(bodyOf(honest, 3, 5, { by: stranger })).status).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['no old size', honest.text(1)],
    ['a size with a zero before it', bodyOf(honest, 0, 1).replace('old 0', 'old 00')],
    ['a size below zero', bodyOf(honest, 0, 1).replace('old 0', 'old -1')],
    ['a size beyond numbers', bodyOf(honest, 0, 1).replace('\n1\n', '\n99999999999999999999\n')],
    [
      'more proof than a tree has levels',
      bodyOf(honest, 1, 2, { proof: Array(64).fill(honest.proof(1, 2)[0]) }),
    ],
    ['a hash that is none', bodyOf(honest, 1, 2, { proof: ['AAAA'] })],
    ['no signature', `old 0\n\n${honest.text(1)}`],
    ['a control character', bodyOf(honest, 0, 1).replace('\n1\n', '\n1\r\n')],
    ['no line’s end', bodyOf(honest, 0, 1).slice(0, -1)],
  ])('answers 400 to %s', (_case, body) => {
    expect(newWitness().witness.addCheckpoint(body).status).toBe(400);
  });

  it('remembers when it is started again, with the same key, which is for its eyes only', () => {
    const { witness, open, home } = newWitness();
    witness.addCheckpoint(bodyOf(honest, 0, 5));
    const again = open();
    expect(again.vkey).toBe(witness.vkey);
    expect(again.addCheckpoint(bodyOf(forked, 0, 9)).body).toBe('5\n');
    expect(again.addCheckpoint(bodyOf(honest, 5, 9)).status).toBe(200);
    expect(statSync(join(home, 'key')).mode & 0o777).toBe(0o600);
  });

  it('rather signs nothing than forget what it knew', () => {
    const { witness, home } = newWitness();
    witness.addCheckpoint(bodyOf(honest, 0, 5));
    const file = readdirSync(home).find((name) => name.endsWith('.checkpoint')) ?? '';
    writeFileSync(join(home, file), 'x');
    expect(() => witness.addCheckpoint(bodyOf(honest, 0, 1))).toThrow('damaged');
  });

  it('has written down what it signs before it answers', () => {
    const { witness, home } = newWitness();
    witness.addCheckpoint(bodyOf(honest, 0, 5));
    const file = readdirSync(home).find((name) => name.endsWith('.checkpoint')) ?? '';
    expect(readFileSync(join(home, file), 'utf8').startsWith(honest.text(5))).toBe(true);
    expect(existsSync(join(home, 'refused'))).toBe(false);
  });
});

it('over HTTP it takes one call, of a bounded size', async () => {
  const { witness } = newWitness();
  const { url, close } = await serveWitness(witness, { host: '127.0.0.1', port: 0 });
  const post = async (path: string, body: string) =>
    (await fetch(`${url}${path}`, { method: 'POST', body })).status;
  expect(await post('/add-checkpoint', bodyOf(honest, 0, 5))).toBe(200);
  expect(await post('/add-checkpoint', 'x'.repeat(65_537))).toBe(413);
  expect(await post('/other', '')).toBe(404);
  expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
  expect(await (await fetch(`${url}/vkey`)).text()).toBe(`${witness.vkey}\n`);
  const racing = [6, 7, 8].map((size) => post('/add-checkpoint', bodyOf(honest, 5, size)));
  expect((await Promise.all(racing)).toSorted()).toEqual([200, 409, 409]);
  await close();
});
