import { connect } from 'node:net';
import { ErrorBody } from '@tallystick/contract/error-body';

/** What is no HTTP, or hardly any. Each is sent as it stands, and the line is left open. */
export const malformed: Record<string, string> = {
  'one word': 'HELLO\r\n\r\n',
  'a greeting of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an unknown method': 'FETCH / HTTP/1.1\r\nhost: a\r\n\r\n',
  'an unknown version': 'GET / HTTP/9.9\r\nhost: a\r\n\r\n',
  'a space in the address': 'GET /a b HTTP/1.1\r\nhost: a\r\n\r\n',
  'a header without a name': 'GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n',
  'a header without a colon': 'GET / HTTP/1.1\r\nhost: a\r\nnothing\r\n\r\n',
  'a header with a control character': 'GET / HTTP/1.1\r\nhost: a\r\nx: a\x00b\r\n\r\n',
  'no host': 'GET /api/ledger/summary HTTP/1.1\r\n\r\n',
  'two hosts': 'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'a length that is no number': 'POST /api/users/signin HTTP/1.1\r\nhost: a\r\ncontent-length: ten\r\n\r\n',
  'a negative length': 'POST /api/users/signin HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'two lengths':
    'POST /api/users/signin HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
  'a length and pieces':
    'POST /api/users/signin HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'pieces that are none':
    'POST /api/users/signin HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n',
  'headers without end': `GET / HTTP/1.1\r\nhost: a\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(80)}\r\n`,
  'a folded header': 'GET / HTTP/1.1\r\nhost: a\r\nx: y\r\n z\r\n\r\n',
  'a bare line feed': 'GET / HTTP/1.1\nhost: a\n\n',
  'an address that is broken': 'GET /%E0%A4%A HTTP/1.1\r\nhost: a\r\n\r\n',
  'an address as long as a book': `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  'a smuggled second request':
    'POST /api/users/signin HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}GET /metrics HTTP/1.1\r\nx: y: z\n\n',
};

const answerMsMax = 20_000;
/** What comes comes in one piece; whoever keeps the line open has said all by then. */
const quietMs = 500;

/** All that comes back before the other side hangs up, or has said nothing more for a while. */
function say(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(answerMsMax, () => socket.destroy());
    socket.on('data', (piece) => {
      heard += piece.toString('latin1');
      socket.setTimeout(quietMs);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
    socket.write(text, 'latin1');
  });
}

/** What is wrong with the answer to something malformed; null when nothing is: a page, or a refusal of ours. */
function wrongIn(heard: string): string | null {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0);
  if (heard === '') return 'no answer at all';
  if (status === 0) return `no HTTP: ${heard.slice(0, 100)}`;
  if (status >= 500) return `${status}: ${heard.slice(0, 200)}`;
  if (status < 400) return null;
  const body = heard.slice(heard.indexOf('\r\n\r\n') + 4);
  const isPage = /content-type: text\/html/i.test(heard);
  try {
    if (isPage || ErrorBody.safeParse(JSON.parse(body.split('HTTP/1.1')[0] ?? '')).success) return null;
  } catch {
    // Said below.
  }
  return `${status} is not in our shape: ${body.slice(0, 200)}`;
}

export async function sayMalformed(port: number): Promise<string[]> {
  const findings: string[] = [];
  for (const [name, text] of Object.entries(malformed)) {
    const wrong = wrongIn(await say(port, text));
    if (wrong) findings.push(`${name}: ${wrong}`);
  }
  return findings;
}
