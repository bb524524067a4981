import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { utf8 } from '@tallystick/verify/bytes';
import { leafHash, rootOf } from '@tallystick/verify/merkle';
import { booksText } from '@tallystick/verify/testing/sample-proof';
import { checkpointNote, testKey } from '@tallystick/verify/testing/signing';
import { bundlesOf, tilesOf } from '@tallystick/verify/testing/tree';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from './audit.ts';
import { emptyMirror, openMirror } from './mirror.ts';
import { NotReachable, servedBy } from './served.ts';

const log = testKey('books.example/log');
const witness = testKey('witness.example/w1', 'cosignature');
const plan = (version: number, points = 80) =>
  `plan/v1\ntime 2026-11-15T09:00:00Z\nplan 1c6f2b0e-6a5d-4c64-9d0b-0a5f7d1c2e11\nversion ${version}\nname Starter\nfrom 10000\nto 199900\ndays 30\npoints ${points}\nstate on\n`;
const freeze = (state: string) => `freeze/v1\ntime 2026-11-15T09:00:00Z\nscope books\nstate ${state}\n`;
const books = (number: number) =>
  booksText.replace('number 3', `number ${number}`).replace('03-16', `03-1${number}`);

/** A log as a site serves it. */
function serving(entries: string[], { witnesses = [witness], tell = entries } = {}) {
  const hashes = entries.map((entry) => leafHash(utf8(entry)));
  const note = checkpointNote(log, { size: hashes.length, root: rootOf(hashes) }, witnesses);
  const files = new Map([
    ...tilesOf(hashes),
    ...bundlesOf(tell),
    ['checkpoint', utf8(note)],
    ['vkey', utf8(`${log.vkey}\n`)],
  ]);
  return async (path: string) => {
    const file = files.get(path);
    if (!file) throw new NotReachable(`${path} answered 404.`);
    return file;
  };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-log-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const audit = (read: (path: string) => Promise<Uint8Array>, witnesses: string[] = [witness.vkey]) =>
  auditLog({ read, mirror: openMirror(folder), vkey: log.vkey, witnesses });

const first = [plan(1), books(1), freeze('on')];
const many = [...first, ...Array.from({ length: 600 }, (_, at) => freeze(at % 2 ? 'on' : 'off'))];

describe('an audit of the log', () => {
  it('finds nothing wrong with a log that grows, from one bundle to the next', async () => {
    for (const entries of [first, [...first, plan(2, 90)], [...first, plan(2, 90), books(2)]]) {
      expect(await audit(serving(entries))).toMatchObject({ wrong: [], unchecked: [] });
    }
    const grown = [...first, plan(2, 90), books(2), ...many.slice(3)];
    expect((await audit(serving(grown))).wrong).toEqual([]);
    const { holds, wrong } = await audit(serving([...grown, books(3)]));
    expect(wrong).toEqual([]);
    expect(holds).toContain('The log still begins with the 605 entries of last time.');
    expect(holds.at(-1)).toContain('3 statements of the books and the versions of 1 plans');
  });

  it('takes the log’s own word for its key only when there is no other, and says so', async () => {
    const mirror = emptyMirror();
    const own = await auditLog({ read: serving(first), mirror, vkey: null, witnesses: [] });
    expect(own).toMatchObject({ wrong: [], unchecked: [expect.stringContaining('the log\u0027s own word')] });
    await audit(serving(first));
    const second = await auditLog({
      read: serving(first),
      mirror: openMirror(folder),
      vkey: null,
      witnesses: [],
    });
    expect(second).toMatchObject({ wrong: [], unchecked: [] });
    const other = testKey('other.test/log').vkey;
    const forged = await auditLog({ read: serving(first), mirror, vkey: other, witnesses: [] });
    expect(forged.wrong[0]).toContain('not signed by the key of other.test/log');
  });

  it('names what it was given nothing to compare with: neither a witness nor an earlier look is taken for granted', async () => {
    const read = serving(first);
    const alone = await auditLog({ read, mirror: emptyMirror(), vkey: log.vkey, witnesses: [] });
    expect(alone).toMatchObject({ wrong: [], unchecked: [] });
    expect(alone.unasked).toEqual([
      expect.stringContaining('No witness was asked: others may be shown another log.'),
      expect.stringContaining('No earlier look was compared'),
    ]);
    expect((await audit(read)).unasked).toEqual([expect.stringContaining('No earlier look was compared')]);
    expect((await audit(read)).unasked).toEqual([]);
  });

  it('says which entry was changed since last time', async () => {
    await audit(serving(many));
    const { wrong } = await audit(
      serving([...many.with(1, books(1).replace('15031 120', '15031 121')), freeze('on')]),
    );
    expect(wrong[0]).toContain('The log no longer begins with the 603 entries that it had before.');
    expect(wrong[1]).toContain('Entry 1 is another than last time. It was "books/v1\\nnumber 1');
    expect(openMirror(folder).read('refused')?.toString()).toContain('books.example/log\n604\n');
    expect(openMirror(folder).read('checkpoint')?.toString()).toContain('books.example/log\n603\n');
    // And goes on saying so: what was seen is not forgotten.
    expect((await audit(serving(many.with(0, plan(1, 70))))).wrong.length).toBeGreaterThan(0);
  });

  it('keeps what contradicts, also when the rest of it is held back', async () => {
    await audit(serving(first));
    const forked = serving(first.with(0, plan(1, 70)));
    const { wrong } = await audit(async (path) => {
      if (path.startsWith('tile/entries/')) throw new NotReachable(`${path} answered 404.`);
      return forked(path);
    });
    expect(wrong[0]).toContain('The log no longer begins with the 3 entries that it had before.');
    expect(openMirror(folder).read('refused')).toEqual(Buffer.from(await forked('checkpoint')));
  });

  it('is not made busy by a size that no log has', async () => {
    const root = rootOf([]);
    for (const size of [2 ** 40, Number.MAX_SAFE_INTEGER]) {
      const note = utf8(checkpointNote(log, { size, root }, [witness]));
      const { unchecked } = await audit(async (path) => {
        if (path === 'checkpoint') return note;
        throw new NotReachable(`${path} answered 404.`);
      });
      expect(unchecked).toEqual(['tile/entries/000 answered 404.']);
    }
  });

  it('finds a shorter log, the old one shown again', async () => {
    await audit(serving([...first, plan(2)]));
    expect((await audit(serving(first))).wrong[0]).toContain('had 4 entries before and shows only 3 now');
  });

  it('finds entries that are not those of the tree, or not what an entry is', async () => {
    expect((await audit(serving(first, { tell: first.with(0, plan(1, 70)) }))).wrong).toEqual([
      'The entries do not make the root that was signed for 3 of them.',
    ]);
    expect((await audit(serving([...first, 'plan/v1\n']))).wrong).toEqual([
      'Entry 3: Its lines are not those of the kind plan/v1.',
    ]);
  });

  it('computes again what an address is said to have signed', async () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');
    const [, signed = ''] = /^```entry\n(address\/v1\n[^`]*)^```$/m.exec(document) ?? [];
    const right = await audit(serving([...first, signed]));
    expect(right).toMatchObject({ wrong: [], unchecked: [] });
    expect(right.holds.at(-1)).toContain('1 addresses have signed.');
    const entries = [
      signed.replace('network bitcoin', 'network ethereum'),
      signed.replace('signature IPIPb', 'signature IPIPc'),
      signed.replaceAll('books.example', 'b00ks.example'),
      signed.replaceAll(/\bbitcoin\b/g, 'litecoin'),
    ];
    const mirror = emptyMirror();
    const read = serving(entries);
    const found = await auditLog({ read, mirror, vkey: log.vkey, witnesses: [witness.vkey] });
    expect(found.wrong).toEqual([
      expect.stringContaining('Entry 0: The message that bc1q'),
      expect.stringMatching(/^Entry 1: The signature of bc1q\w+ does not hold\.$/),
    ]);
    expect(found.unchecked).toEqual([
      'Entry 2: an address has signed for another log, b00ks.example/log.',
      'Entry 3: How addresses of litecoin sign is not known here.',
    ]);
  });

  it('finds at first sight that a version of a plan, or a statement, was left out', async () => {
    const { wrong } = await audit(serving([plan(1), plan(3), books(1), books(3)]));
    expect(wrong).toEqual([
      'Entry 1: It is version 3 of the plan Starter, and 2 comes next.',
      'Entry 3: It is statement 3 of the books, and 2 comes next.',
    ]);
  });

  it('says when a witness has not signed, or the log cannot be read', async () => {
    const alone = await audit(serving(first, { witnesses: [] }));
    expect(alone).toMatchObject({
      wrong: [],
      unchecked: [expect.stringContaining('has not signed this checkpoint')],
    });
    const gone = await audit(async (path) => {
      throw new NotReachable(`${path} did not answer.`);
    });
    expect(gone).toMatchObject({ wrong: [], unchecked: ['checkpoint did not answer.'] });
  });
});

it('reads no more of an answer than any file of a log has', async () => {
  let sent = 0;
  const piece = Buffer.alloc(1_000_000);
  const server = createServer((_request, response) => {
    const send = () => {
      while (!response.destroyed && sent < 200 * piece.length) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', send);
      }
      response.end();
    };
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const read = servedBy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(read('checkpoint')).rejects.toThrow('more than any file of a log has');
  expect(sent).toBeLessThan(100 * piece.length);
  server.closeAllConnections();
  server.close();
});

it('says loudly what nobody was asked, though all that was asked for holds', async () => {
  const read = serving(first);
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/log/', '');
    read(path).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const main = new URL('./main.ts', import.meta.url).pathname;
  const run = spawn(process.execPath, [main, '--url', url, '--vkey', log.vkey]);
  const [printed, [code]] = await Promise.all([text(run.stdout), once(run, 'close')]);
  server.close();
  expect(printed).toContain('\nNOT ASKED  No witness was asked');
  expect(printed).not.toMatch(/^(unchecked|WRONG) /m);
  expect(code).toBe(0);
});

it('prints nothing that a terminal would obey', async () => {
  const server = createServer((_request, response) => void response.end('\u001b[2J\u009bH all holds'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const main = new URL('./main.ts', import.meta.url).pathname;
  const run = spawn(process.execPath, [main, '--url', url]);
  const [printed, [code]] = await Promise.all([text(run.stdout), once(run, 'close')]);
  server.close();
  expect(printed).toContain('all holds');
  expect(printed.replaceAll('\n', '')).toMatch(/^\P{Cc}*$/u);
  expect(code).toBe(1);
});
