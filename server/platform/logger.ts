import { fstatSync } from 'node:fs';
import { styleText } from 'node:util';
import { type Logger, pino } from 'pino';
import type { Mode } from './postgres/installation.ts';

export type { Logger };

/** What may never reach a log, wherever it turns up in a logged object. */
const secretPaths = [
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  '*.password',
  '*.passwordnew',
  '*.cpassword',
  '*.token',
  // PostgreSQL shows the whole row that it refused; an address that is none may have a password in it.
  'err.detail',
  'err.input',
];

interface Destination {
  write(text: string): unknown;
}

/** What waits to be written, in characters; what does not find room in it is lost. */
const waitingMax = 16 * 1_048_576;

/**
 * A terminal that was closed, or a full disk, takes nothing: the server goes on, and ends, all the same. A terminal and a file
 * take a line at once or not at all; whoever reads a pipe may be slow, and is not waited for.
 */
function standardOutput(): Destination {
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  const out = pino.destination({ dest: 1, minLength: 0, maxLength: waitingMax, sync: !isPipe });
  // What still waits when the process ends is written then. Into a pipe that has no reader the library would try for ever.
  const { flushSync } = out;
  out.on('error', () => {
    out.flushSync = () => {};
  });
  out.on('write', () => {
    out.flushSync = flushSync;
  });
  return out;
}

/** A production's log is JSON, for the programs that collect it; what else runs is watched by the person who started it. */
export function createLogger(level: string, mode: Mode = 'demo', to: Destination = standardOutput()): Logger {
  const options = { level, redact: { paths: secretPaths, censor: '[redacted]' } };
  return pino(options, mode === 'production' ? to : { write: (line) => void to.write(readable(line)) });
}

const looks = { error: 'red', warn: 'yellow', info: 'green', debug: 'gray' } as const;

const lookOf = (level: number): keyof typeof looks =>
  level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug';

/** Strangers choose some of what is logged, and a terminal obeys what it is shown; nor can they begin or turn round a line. */
const harmless = (text: string) =>
  text.replace(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, ' ').replaceAll('\n', '\n  ');

const isWord = (value: unknown) => typeof value === 'string' && /^[\w.:/@+-]+$/.test(value);

/** A line for people, made of one for programs, in which secrets are blacked out already; an error's stack below it. */
function readable(line: string): string {
  const { level, time, pid: _pid, hostname: _host, msg = '', err, ...rest } = JSON.parse(line);
  const look = lookOf(level);
  const facts = { ...rest, ...(err?.code && { code: err.code }) };
  const more = Object.entries(facts)
    .map(([name, value]) => ` ${name}=${isWord(value) ? value : JSON.stringify(value)}`)
    .join('');
  const stack = err ? `\n${err.stack ?? JSON.stringify(err)}` : '';
  const at = new Date(time).toTimeString().slice(0, 8);
  return `${at} ${styleText(looks[look], look.padEnd(5))} ${harmless(`${msg}${more}${stack}`)}\n`;
}
