/**
 * `npm run migration -- "words of the change"` makes the next numbered file, whose first line says which servers fit it
 * (CONTRIBUTING.md); `npm run migration -- --land` notes the hashes of those that are finished, and from then on they
 * never change (tools/migration/names.test.ts).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { begunAs, landed, nextName } from './names.ts';

const folder = path.resolve(import.meta.dirname, '..', '..', 'server', 'migrations');
const hashFile = path.join(folder, 'SHA256SUMS');
const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
const words = process.argv.slice(2).join(' ').trim();

try {
  if (words === '--land') {
    const files = new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
    const known = existsSync(hashFile) ? readFileSync(hashFile, 'utf8') : '';
    const hashes = landed(known, files);
    writeFileSync(hashFile, hashes);
    process.stdout.write(hashes.replace(known, ''));
  } else {
    const name = nextName(names, words);
    const before = readFileSync(path.join(folder, names.sort().at(-1) ?? ''), 'utf8');
    writeFileSync(path.join(folder, name), begunAs(words, before), { flag: 'wx' });
    process.stdout.write(`server/migrations/${name}\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
