/** `npm run audit`: asks the registry's advisory service about everything in the lock file. Needs a network. */
import path from 'node:path';
import { tellAdvisories } from './advisories.ts';
import { askNpm } from './npm.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const { code, lines } = tellAdvisories(askNpm(root, ['audit', '--package-lock-only', '--json']).stdout);
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = code;
