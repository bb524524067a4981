import { parseArgs } from 'node:util';
import { parseVkey } from '@tallystick/verify/note';
import { auditLog } from './audit.ts';
import { emptyMirror, openMirror } from './mirror.ts';
import { servedBy } from './served.ts';

const usage = `npm run log:audit -- --url https://… [--state folder] [--vkey '…'] [--witness '…' …]

Reads the public log of a site, checks all of it, and with --state also that it contains the log of last time.
Exit code 0: all holds. 1: something is wrong. 2: something could not be checked.`;

const say = (line: string) => process.stdout.write(`${line}\n`);

function fail(why: string): never {
  process.stderr.write(`${why}\n\n${usage}\n`);
  process.exit(2);
}

function readOptions() {
  const options = {
    url: { type: 'string' },
    state: { type: 'string' },
    vkey: { type: 'string' },
    witness: { type: 'string', multiple: true },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { url, state, vkey, witness = [] } = readOptions();
if (!url || !URL.canParse(url)) fail('Say which site with --url.');
for (const key of [...(vkey ? [vkey] : []), ...witness]) {
  const parsed = parseVkey(key);
  if ('wrong' in parsed) fail(`${key}: ${parsed.wrong}`);
}

const found = await auditLog({
  read: servedBy(url),
  mirror: state ? openMirror(state) : emptyMirror(),
  vkey: vkey ?? null,
  witnesses: witness,
});
for (const line of found.holds) say(`holds      ${line}`);
for (const line of found.unchecked) say(`unchecked  ${line}`);
for (const line of found.wrong) say(`WRONG      ${line}`);
process.exitCode = found.wrong.length > 0 ? 1 : found.unchecked.length > 0 ? 2 : 0;
