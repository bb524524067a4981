import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { parseVkey } from '@tallystick/verify/note';
import { auditLog } from './audit.ts';
import { checkLiabilities } from './liabilities.ts';
import { emptyMirror, openMirror } from './mirror.ts';
import { sealedLines } from './sealed.ts';
import { servedBy } from './served.ts';

const usage = `npm run log:audit -- --url https://… [--state folder] [--vkey '…'] [--witness '…' …] [--liabilities file]

Reads the public log of a site, checks all of it, and with --state also that it contains the log of last time.
With --liabilities, the sealed file of a statement that operators give to auditors: recomputes its root and totals. The
passphrase is asked for, or taken from LIABILITIES_PASSPHRASE.
Exit code 0: all that was asked for holds; what was not is named as NOT ASKED. 1: something is wrong. 2: something could not be checked.`;

// Much of it is the log's own words: a terminal would obey some of them, and show what the log likes.
const say = (line: string) => process.stdout.write(`${line.replace(/\p{Cc}/gu, '\ufffd')}\n`);

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
    liabilities: { type: 'string' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { url, state, vkey, witness = [], liabilities } = readOptions();
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
async function passphrase(): Promise<string> {
  const { LIABILITIES_PASSPHRASE: given } = process.env;
  if (given) return given;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await asking.question('Passphrase: ');
  asking.close();
  return typed.trim();
}

if (liabilities && found.entries.length > 0) {
  try {
    checkLiabilities(sealedLines(liabilities, await passphrase()), found.origin, found);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    found.unchecked.push(`The liabilities: ${error.message}`);
  }
} else if (liabilities) {
  found.unchecked.push('The liabilities: without the log there is nothing to compare them with.');
}
for (const line of found.holds) say(`holds      ${line}`);
for (const line of found.unchecked) say(`unchecked  ${line}`);
for (const line of found.unasked) say(`NOT ASKED  ${line}`);
for (const line of found.wrong) say(`WRONG      ${line}`);
process.exitCode = found.wrong.length > 0 ? 1 : found.unchecked.length > 0 ? 2 : 0;
