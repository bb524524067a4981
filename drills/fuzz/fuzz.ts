import type { Chance } from '../seed.ts';
import { type Answer, jsonOf, wrongIn } from './answers.ts';
import type { Operation } from './document.ts';
import { type Credentials, type Request, requestTo } from './requests.ts';
import { createSeen } from './values.ts';

export type Send = (request: Request) => Promise<Answer>;

export interface Fuzzed {
  requests: number;
  /** How many of the operations were asked at all, and how many did what they were asked for at least once. */
  asked: number;
  done: number;
  /** How often each status was heard. */
  heard: Map<number, number>;
  /** What is wrong, each once, with the request that showed it. */
  findings: Map<string, string>;
}

/** They end the session that asks. What they do with anybody else's is asked. */
const endsSession = /\/(signout|signoutothers)$/;

/**
 * A machine that is busy says so now and then, and so do prices whose service is away. More than one answer in so many is a
 * failure that calls itself busy.
 */
const busyPartMax = 10;

interface Fuzz {
  operations: Operation[];
  requests: number;
  chance: Chance;
  send: Send;
  /** Asked for before each round. */
  people(): Promise<Credentials>;
}

/** Every operation in turn, round by round, so that none is forgotten. */
export async function fuzz({ operations, requests, chance, send, people }: Fuzz): Promise<Fuzzed> {
  const seen = createSeen();
  const result: Fuzzed = { requests: 0, asked: 0, done: 0, heard: new Map(), findings: new Map() };
  const done = new Set<Operation>();
  const asked = new Set<Operation>();
  let who = await people();
  while (result.requests < requests) {
    for (const operation of operations) {
      const request = requestTo(operation, chance, seen, who);
      if (endsSession.test(operation.path)) Object.assign(request.headers, who.forged);
      const answer = await send(request);
      result.requests += 1;
      result.heard.set(answer.status, (result.heard.get(answer.status) ?? 0) + 1);
      asked.add(operation);
      if (answer.status < 300) done.add(operation);
      if (answer.status === 200) seen.note(jsonOf(answer.text));
      const wrong = wrongIn(operation, answer);
      const name = `${operation.method} ${operation.path}: ${wrong}`;
      if (wrong && !result.findings.has(name)) result.findings.set(name, shown(request));
    }
    who = await people();
  }
  const busy = result.heard.get(503) ?? 0;
  if (busy * busyPartMax > result.requests) result.findings.set(`503 ${busy} times`, 'one request at a time');
  return { ...result, asked: asked.size, done: done.size };
}

const shown = ({ method, url, headers, body = '' }: Request) =>
  `${method} ${url.slice(0, 300)} ${JSON.stringify({ ...headers, cookie: undefined, authorization: undefined })} ${body.slice(0, 500)}`;
