import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorBody } from '@tallystick/contract/error-body';
import type { Field } from '../field.ts';

/** From so many addresses of this machine, or the ports of one would not be enough. */
const sources = 20;
const opensAtOnce = 250;
const openMsMax = 30_000;
/** Beside idle ones, a server and a drill have files, a database and everyone else. */
const otherFiles = 5_000;

/** Bare connections, and what came of them. */
export interface Lines {
  idle: Socket[];
  /** Half a request, dripping: how long until the server ended it, and what it said. */
  dripping: Promise<Ended>[];
  slow: Socket[];
  /** Bodies without end: each kind goes on until it is told to stop. */
  huge: Promise<Ended[]>[];
  stop(): void;
}

interface Ended {
  what: string;
  ms: number;
  heard: string;
  sentBytes: number;
}

/** How many idle connections there is room for: the server has the same limit as its drill. */
export function roomForIdle(wanted: number): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const files = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return Math.max(0, Math.min(wanted, files ? Number(files) - otherFiles : wanted));
}

const from = (at: number) => `127.0.1.${(at % sources) + 1}`;

function open(port: number, at: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from(at) });
  return socket.on('error', () => {});
}

/** Asked something once, as a browser has, and silent since. */
async function openIdle(field: Field, count: number): Promise<Socket[]> {
  const giveUpAt = performance.now() + openMsMax;
  const idle: Socket[] = [];
  let answered = 0;
  for (let at = 0; at < count && !field.isOver; at += 1) {
    const socket = open(field.port(), at);
    socket.once('data', () => (answered += 1));
    socket.resume();
    socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    idle.push(socket);
    while (idle.length - answered >= opensAtOnce && performance.now() < giveUpAt && !field.isOver)
      await delay(5);
  }
  while (answered < count && performance.now() < giveUpAt && !field.isOver) await delay(5);
  if (answered < count && !field.isOver)
    field.findings.add(`of ${count} idle connections ${count - answered} were never answered`);
  return idle;
}

/** What a line was told before it ended, or was ended by us. */
function ended(socket: Socket, what: string): Promise<Ended> {
  const began = performance.now();
  let heard = '';
  socket.on('data', (piece) => {
    if (heard.length < 4_000) heard += piece.toString('latin1');
  });
  return new Promise((resolve) => {
    socket.on('close', () =>
      resolve({ what, ms: performance.now() - began, heard, sentBytes: socket.bytesWritten }),
    );
  });
}

const post = 'POST /api/users/signin HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n';
const dripMs = 500;

/** One letter after the other, and never the last. */
function drip(port: number, at: number): Promise<Ended> {
  const isBody = at % 2 === 0;
  const socket = open(port, at);
  socket.write(isBody ? `${post}content-length: 4000\r\n\r\n{` : `${post}x-more: `);
  const timer = setInterval(() => socket.writable && socket.write('a'), dripMs);
  socket.on('close', () => clearInterval(timer));
  return ended(socket, isBody ? 'a dripping body' : 'dripping headers');
}

const readMs = 50;

/** The longest answers that anyone may ask for. */
const longAnswers = ['/api/docs/openapi.json', '/api/docs/js/scalar.js'];

/** Reads a long answer byte by byte. */
function readSlowly(port: number, at: number): Socket {
  const socket = connect({
    host: '127.0.0.1',
    port,
    localAddress: from(at),
    onread: {
      buffer: Buffer.alloc(1),
      callback() {
        setTimeout(() => socket.destroyed || socket.resume(), readMs);
        return false;
      },
    },
  });
  socket.on('error', () => {});
  const whom = `x-forwarded-for: 10.103.0.${(at % 250) + 1}`;
  const path = longAnswers[at % longAnswers.length];
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${whom}\r\n\r\n`);
  return socket;
}

const piece = Buffer.alloc(64 * 1024, 'a');
const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
const hugeBytes = 50_000_000;
const hugeMsMax = 30_000;
const hugeEveryMs = 500;

/** A body that is longer than anything may be: it says so, or it comes in pieces and does not end. */
function sendHuge(port: number, at: number): Promise<Ended> {
  const isDeclared = at % 2 === 0;
  const socket = open(port, at);
  socket.setTimeout(hugeMsMax, () => socket.destroy());
  const whom = `x-forwarded-for: 10.104.${Math.floor(at / 250) % 250}.${(at % 250) + 1}\r\n`;
  const length = isDeclared ? `content-length: ${hugeBytes}` : 'transfer-encoding: chunked';
  socket.write(`${post}${whom}${length}\r\n\r\n`);
  const goOn = () => {
    while (socket.writable && socket.bytesWritten < hugeBytes) {
      if (!socket.write(isDeclared ? piece : chunk)) return;
    }
  };
  socket.on('drain', goOn);
  goOn();
  return ended(socket, isDeclared ? 'a huge body' : 'a body without end');
}

/** Opens all of them, the idle ones first; the others go on until they are told to stop. */
export async function openLines(
  field: Field,
  { idle: idleCount, drips, slows, huges }: { idle: number; drips: number; slows: number; huges: number },
): Promise<Lines> {
  const port = field.port();
  let isStopped = false;
  const idle = await openIdle(field, idleCount);
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  const slow = numbers(slows).map((at) => readSlowly(port, at));
  const huge = numbers(huges).map(async (at) => {
    const all: Ended[] = [];
    for (let time = 0; !isStopped && !field.isOver; time += 1) {
      all.push(await sendHuge(port, at + 2 * huges * time));
      await delay(hugeEveryMs);
    }
    return all;
  });
  const dripping = numbers(drips).map((at) => drip(port, at));
  return {
    idle,
    dripping,
    slow,
    huge,
    stop() {
      isStopped = true;
      for (const socket of [...idle, ...slow]) socket.destroy();
    },
  };
}

/** Half a request is ended within this time, a body that is too long within that. */
const dripMsMax = 60_000;
const tooLongMsMax = 20_000;
/** What a body that is refused may have sent by then: what lies in the buffers of two ends. */
const tooLongBytesMax = 20_000_000;

/** Why what ended so should have ended otherwise; null when it is well. Who still speaks may not hear why it was hung up on. */
function wrongIn({ what, ms, heard, sentBytes }: Ended): string | null {
  const isDrip = /drip/.test(what);
  if (ms > (isDrip ? dripMsMax : tooLongMsMax)) return `${what} was kept for ${(ms / 1_000).toFixed(0)} s`;
  if (!isDrip && sentBytes > tooLongBytesMax) return `${what} was taken: ${sentBytes} bytes of it`;
  if (heard === '') return null;
  // Who goes on after the answer is told once more, that time is over.
  const [head = '', body = ''] = heard.split(/\r\n\r\n|(?<=})HTTP/);
  const status = Number(head.split(' ')[1]);
  const isExpected = [isDrip ? 400 : 413, 429, 503].includes(status);
  try {
    if (isExpected && ErrorBody.safeParse(JSON.parse(body)).success) return null;
  } catch {
    // Said below.
  }
  return `${what} was answered: ${heard.slice(0, 300)}`;
}

/** When all have ended: what is wrong with them, and how many were told why. */
export async function checkLines(field: Field, { dripping, huge }: Lines): Promise<string> {
  const drips = await Promise.all(dripping);
  const huges = (await Promise.all(huge)).flat();
  for (const each of [...drips, ...huges]) {
    const wrong = wrongIn(each);
    if (wrong) field.findings.add(wrong);
  }
  const told = huges.filter(({ heard }) => heard !== '').length;
  if (huges.length > 0 && told === 0) field.findings.add('nobody was told that a body is too large');
  const last = Math.max(0, ...drips.map(({ ms }) => ms));
  return `${drips.length} dripping requests ended within ${(last / 1_000).toFixed(1)} s; ${huges.length} huge bodies refused, ${told} of them with a word`;
}
