import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPaper } from './paper.ts';
import { testKey } from './testing/signing.ts';

const log = testKey('books.example/log');
const account = '3f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f61';
const hash = createHash('sha256').update('an entry').digest('hex');

type Kind = 'pdf' | 'csv' | 'json';
const files: Record<Kind, string> = {
  pdf: '%PDF-1.3\nsome pages\n%%EOF\n',
  csv: 'Line,Account\r\nopening,wallet\r\n',
  json: '{"format":"tallystick paper/v1",\n"owed":{"wallet":7.00}',
};

function textOf(kind: Kind, file: string, change: Record<string, string> = {}): string {
  const values = {
    origin: log.name,
    kind,
    from: '2026-10-01',
    to: '2026-10-31',
    bytes: String(Buffer.byteLength(file)),
    sha256: createHash('sha256').update(file).digest('hex'),
    wallet: `${account} 12 ${hash}`,
    invested: `${account.replace('3', '4')} 3 ${hash}`,
    withdrawing: `- 0 ${'0'.repeat(64)}`,
    owed: '70031 0 5 0',
    ...change,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} ${value}\n`);
  return `tallystick paper/v1\n${lines.join('')}`;
}

/** As the server does it, written a second time. */
function withSignature(kind: Kind, file: string, text: string): Buffer {
  const note = `${text}\n${log.signature(text)}`;
  const lines = note.slice(0, -1).split('\n');
  const tails = {
    pdf: lines.map((line) => `% ${line}\n`).join(''),
    csv: lines.map((line) => `# ${line}\r\n`).join(''),
    json: `,\n"signature":${JSON.stringify(note)}}\n`,
  };
  return Buffer.from(file + tails[kind]);
}

const signed = (kind: Kind, change: Record<string, string> = {}) =>
  withSignature(kind, files[kind], textOf(kind, files[kind], change));

describe.each(['pdf', 'csv', 'json'] as const)('a statement as %s', (kind) => {
  it('is what was signed, and says what it is about', () => {
    expect(checkPaper(signed(kind), log.vkey)).toEqual({
      kind,
      origin: log.name,
      from: '2026-10-01',
      to: '2026-10-31',
      bytes: files[kind].length,
      wallet: { account, seq: 12, hash },
      invested: { account: account.replace('3', '4'), seq: 3, hash },
      withdrawing: { account: null, seq: 0, hash: '0'.repeat(64) },
      owed: [70031n, 0n, 5n, 0n],
    });
  });

  it('is not when a byte of it is another one, wherever', () => {
    const good = signed(kind);
    // Every signature takes its time; a step that is no divisor of a line's length meets each part of each line.
    for (let at = 0; at < good.length; at += 11) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 1;
      expect(checkPaper(bad, log.vkey), `byte ${at}`).toHaveProperty('wrong');
    }
  });

  it('is not when something was added to it, left out or put in front', () => {
    const good = signed(kind);
    const more = Buffer.from('\n');
    expect(checkPaper(Buffer.concat([good, more]), log.vkey)).toHaveProperty('wrong');
    expect(checkPaper(Buffer.concat([more, good]), log.vkey)).toHaveProperty('wrong');
    expect(checkPaper(Buffer.concat([good, good]), log.vkey)).toHaveProperty('wrong');
    fc.assert(
      fc.property(fc.nat(good.length - 1), (length) => {
        expect(checkPaper(good.subarray(0, length), log.vkey)).toHaveProperty('wrong');
      }),
    );
  });

  it('is not when it was signed by another, for another, or as something else', () => {
    expect(checkPaper(signed(kind), testKey('other.example/log').vkey)).toHaveProperty('wrong');
    expect(checkPaper(signed(kind), testKey(log.name, 'cosignature').vkey)).toHaveProperty('wrong');
    expect(checkPaper(signed(kind, { origin: 'other.example/log' }), log.vkey)).toHaveProperty('wrong');
    const other = kind === 'csv' ? 'json' : 'csv';
    expect(checkPaper(signed(kind, { kind: other }), log.vkey)).toHaveProperty('wrong');
    const checkpoint = `${log.name}\n7\n${Buffer.alloc(32).toString('base64')}\n`;
    expect(checkPaper(withSignature(kind, files[kind], checkpoint), log.vkey)).toHaveProperty('wrong');
  });
});

it('is written as docs/trust.md shows it', () => {
  const doc = readFileSync(new URL('../docs/trust.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```paper\n([\s\S]*?)```/.exec(doc) ?? [];
  const ofFile = textOf('pdf', files.pdf, { origin: 'books.example/log' }).split('\n');
  const lines = shown.split('\n').map((line, at) => (/^(bytes|sha256) /.test(line) ? ofFile[at] : line));
  const file = withSignature('pdf', files.pdf, lines.join('\n'));
  expect(checkPaper(file, log.vkey)).toMatchObject({
    from: '2026-10-01',
    wallet: { account: 'ab96fe27-910a-4b29-8f33-49c80c5934a2', seq: 4 },
    owed: [74_880n, 15_031n, 62n, 0n],
  });
});

it('has one spelling of everything', () => {
  const spellings = {
    from: ['2026-02-30', '2026-11-01', '2026-1-1'],
    to: ['2026-13-01', ''],
    bytes: ['026', '-1', '1e2'],
    wallet: ['- 0', `- 1 ${'0'.repeat(64)}`, `${account} 0 ${hash}`, `${account} 12 ${hash.toUpperCase()}`],
    owed: ['1 2 3', '1 2 3 4 5', '-1 2 3 4', '01 2 3 4'],
  };
  for (const [name, values] of Object.entries(spellings)) {
    for (const value of values) {
      expect(checkPaper(signed('pdf', { [name]: value }), log.vkey), `${name} ${value}`).toHaveProperty(
        'wrong',
      );
    }
  }
});

it('takes any bytes at all', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(checkPaper(bytes, log.vkey)).toHaveProperty('wrong');
    }),
  );
});
