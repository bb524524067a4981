/**
 * `npm run sbom`: everything that the lock file has, for all machines, as CycloneDX on standard output. npm makes it;
 * here it is made the same each time, and refused if something is missing.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Bill, leftOut, steady } from './bill.ts';
import { askNpm } from './npm.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

const made = askNpm(root, ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']);
const bill: Bill | null = made.status === 0 ? JSON.parse(made.stdout) : null;
const missing = bill ? leftOut(bill, read('package-lock.json').packages) : [];
if (bill && missing.length === 0) {
  process.stdout.write(`${JSON.stringify(steady(bill, read('package.json').name), null, 2)}\n`);
} else {
  process.stderr.write(bill ? `The bill lacks ${missing.join(', ')}.\n` : made.stderr);
  process.exitCode = 1;
}
