/**
 * `npm run fuzz -- --requests 20000 --seed 7`: requests at random from the site's own document of its calls, and a
 * hostile corpus, to every operation that there is; then what is no HTTP at all. `--break answers` spoils some answers on
 * their way back, to show that it is seen. Exit code 0: nothing is wrong. 1: something is.
 */
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { say, sayFindings, wordsOfAnswers } from '../ending.ts';
import { oneOf, readFlags } from '../flags.ts';
import { startMailServer } from '../mail-server.ts';
import { chanceOf, newSeed } from '../seed.ts';
import { createSite } from '../site.ts';
import { readDocument } from './document.ts';
import { fuzz, type Send } from './fuzz.ts';
import { malformed, sayMalformed } from './malformed.ts';
import { createPeople } from './people.ts';
import { spoiling } from './spoiling.ts';

const { requests, seed, ...said } = readFlags(
  { requests: { usual: 20_000, from: 1 }, seed: { usual: newSeed(), from: 0 } },
  ['break'],
);
const breaks = oneOf('break', said.break, ['answers']);
const readyMsMax = 180_000;

function sender(port: number): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path: url,
        headers: { ...headers, ...length },
      };
      const asking = httpRequest({ ...options, timeout: 60_000 }, (answer) => {
        text(answer).then(
          (said) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: said }),
          reject,
        );
      });
      asking.on('timeout', () => asking.destroy(new Error(`${method} ${url.slice(0, 200)}: no answer`)));
      asking.on('error', reject);
      asking.end(body);
    });
}

say(`seed ${seed}, ${requests} requests`);
const mail = await startMailServer();
const site = await createSite({
  SMTP_URL: mail.url,
  TRUST_PROXY: '127.0.0.1',
  PRICE_API_BASE: 'http://127.0.0.1:9',
});
async function close(): Promise<void> {
  await site.close();
  await mail.close();
}
// Whoever interrupts it finds nothing of it left: the server does not hear of it by itself.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void close().then(() => process.exit(1)));
try {
  site.start();
  await site.untilReady(readyMsMax);
  const document = await (await fetch(`http://127.0.0.1:${site.port}/api/docs/openapi.json`)).text();
  const operations = readDocument(document);
  const send = sender(site.port);
  const result = await fuzz({
    operations,
    requests,
    chance: chanceOf(seed),
    send: breaks ? spoiling(send) : send,
    people: await createPeople(site.port, mail),
  });
  const findings = [...result.findings].map(([what, request]) => `${what}\n       ${request}`);
  findings.push(...(await sayMalformed(site.port)));
  if (!site.isRunning() || !(await site.isReady())) findings.push(`the server is gone: ${site.said()}`);
  sayFindings(findings);
  say(`answers: ${wordsOfAnswers(result.heard)}`);
  say(`${result.done} operations did what they were asked for at least once`);
  process.exitCode = findings.length > 0 || result.asked < operations.length ? 1 : 0;
  say(
    `requests ${result.requests}, operations ${result.asked} of ${operations.length}, ` +
      `malformed ${Object.keys(malformed).length}, wrong ${findings.length}`,
  );
} finally {
  await close();
}
