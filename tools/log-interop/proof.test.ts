import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProofFile, writeProofFile } from '@tallystick/verify/proof-file';
import { adasId, sampleProof, witness } from '@tallystick/verify/testing/sample-proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * The second verifier agrees with the first, whose own tests are in `verify/`: where Python is missing they are what is
 * left, and the name of this chapter says so.
 */
const program = new URL('./proof.py', import.meta.url).pathname;
const isThere = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-proof-py-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Its exit code, and what it says. */
function verified(name: string, change: Partial<ProofFile> = {}, id = adasId) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, writeProofFile({ ...sampleProof(), ...change }));
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile('python3', [program, path, id, sampleProof().vkey, witness.vkey], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });
}

const changed = (hash: string) => `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`;

describe.skipIf(!isThere)('the verifier in Python (passed over where there is no Python 3.10)', () => {
  it('finds that a good proof holds', async () => {
    const { code, said } = await verified('good');
    expect(said).toContain('leaf         in the total of');
    expect(said).toContain('consistency  contains the log that was known');
    expect(said).toContain('witnesses    witness.example/w1');
    expect(code).toBe(0);
  });

  it('finds each break that the first one finds', async () => {
    const { accounts, entry, known } = sampleProof();
    const [first, ...others] = accounts.wallet.lines;
    if (!first || !entry || !known) throw new Error('the sample is not whole');
    const wallet = { ...accounts.wallet, lines: [{ ...first, fundingtype: 'Another' }, ...others] };
    const found = await Promise.all([
      verified('chains', { accounts: { ...accounts, wallet } }),
      verified('leaf', { liabilities: null }),
      verified('somebody else', {}, 'bob@example.org'),
      verified('log', { entry: { ...entry, inclusion: entry.inclusion.map(changed) } }),
      verified('consistency', { known: { ...known, consistency: known.consistency.map(changed) } }),
    ]);
    expect(found.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
    expect(found[1]?.said).toContain('no place in the total is shown');
    expect(found[3]?.said).toContain('the statement is not in the log');
  });
});
