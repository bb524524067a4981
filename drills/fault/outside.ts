import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { simplePrice } from '@tallystick/contract/prices';
import { answerOf, createAsker } from '../ask.ts';
import { type Field, hear } from '../field.ts';
import type { MailMood } from '../mail-server.ts';
import { type Ground, underFault, untilMoneyMoves } from './ground.ts';
import type { Fault } from './network.ts';
import { type PriceMood, priceMoods } from './price-server.ts';

const moneyMsMax = 30_000;

/** Money moves as ever meanwhile; afterwards every letter has come, none of them twice. */
const mailFault = (name: string, begin: (ground: Ground) => Promise<void> | void): Fault => ({
  name,
  breaks: ['lost', 'letter'],
  run: (ground, { block, breaks }) =>
    underFault(ground, {
      name,
      block,
      port: () => ground.site.port,
      invents: breaks === 'lost',
      async fault(field) {
        field.isWithoutLetters = true;
        await begin(ground);
        await untilMoneyMoves(field, moneyMsMax);
        await delay(6_000);
        await untilMoneyMoves(field, moneyMsMax);
        field.isWithoutLetters = false;
        ground.mail.mood = 'taking';
        if (name === 'mail-away') await ground.mail.comeBack();
      },
    }),
});

const mood = (wanted: MailMood) => (ground: Ground) => {
  ground.mail.mood = wanted;
};

const hourMs = 3_600_000;

/** A price that may be shown: more than nothing, and a number. */
const isPrice = (usd: unknown) => typeof usd === 'number' && Number.isFinite(usd) && usd > 0;

/** One mood after the other; the server's clock goes on by hours, so that each time it asks anew. */
async function throughMoods(ground: Ground, field: Field, breaks: string | null): Promise<void> {
  const asker = createAsker(() => ground.site.port, '198.51.100.2');
  let shiftMs = 0;
  for (const wanted of Object.keys(priceMoods) as PriceMood[]) {
    ground.prices.mood = wanted;
    shiftMs += 2 * hourMs;
    ground.setClock(shiftMs);
    const before = ground.prices.calls;
    const giveUpAt = performance.now() + moneyMsMax;
    do {
      const outcome = await asker.ask(simplePrice, {});
      hear(field, simplePrice, outcome);
      const shown = Object.values(answerOf(simplePrice, outcome) ?? {}).map((price) => price?.usd);
      if (breaks === 'price') shown.push(Number.NaN);
      if (!shown.every(isPrice)) field.findings.add(`${wanted}: ${shown.join()} was shown as a price`);
      if (outcome.ms > 10_000) field.findings.add(`${wanted}: a price took ${outcome.ms} ms`);
      await delay(100);
    } while (ground.prices.calls === before && performance.now() < giveUpAt);
    if (ground.prices.calls === before) field.findings.add(`${wanted}: the price service was not asked`);
  }
  // What it asks for counts for an hour at most, and a clock that goes back ends it.
  ground.prices.mood = 'good';
  ground.setClock(0);
  asker.close();
}

const prices: Fault = {
  name: 'prices-hostile',
  breaks: ['lost', 'price'],
  run: (ground, { block, breaks }) =>
    underFault(ground, {
      name: 'prices-hostile',
      block,
      port: () => ground.site.port,
      invents: breaks === 'lost',
      // The clock that makes it ask ends sessions, too.
      mayEndSessions: true,
      async fault(field) {
        field.isClosedForDeposits = true;
        await throughMoods(ground, field, breaks);
      },
    }),
};

/** Headers have a quarter of a minute to come, and every few seconds the server looks for late ones. */
const halfAskedMsMax = 30_000;

/** Begins to say something, and never goes on; how long until the server ends it, and with which words. */
function askByHalves(port: number): Promise<{ ms: number; heard: string }> {
  const began = performance.now();
  const socket = connect({ host: '127.0.0.1', port });
  let heard = '';
  socket.on('data', (piece) => {
    heard += piece;
  });
  socket.on('error', () => {});
  socket.write('POST /api/users/signin HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n');
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), halfAskedMsMax + 5_000);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ ms: performance.now() - began, heard });
    });
  });
}

const halfAsked: Fault = {
  name: 'client-half-open',
  breaks: ['lost'],
  run: (ground, { block, breaks }) =>
    underFault(ground, {
      name: 'client-half-open',
      block,
      port: () => ground.site.port,
      invents: breaks === 'lost',
      async fault(field) {
        const ended = await Promise.all(Array.from({ length: 50 }, () => askByHalves(ground.site.port)));
        const slowest = Math.max(...ended.map(({ ms }) => ms));
        if (slowest > halfAskedMsMax) field.findings.add(`half a request was kept for ${slowest} ms`);
        for (const { heard } of ended) {
          const body = heard.split('\r\n\r\n')[1] ?? '';
          if (heard !== '' && !/^\{"code":"\w+","message":/.test(body)) {
            field.findings.add(`half a request was answered in other words: ${heard.slice(0, 300)}`);
          }
        }
      },
    }),
};

export const outsideFaults: Fault[] = [
  mailFault('mail-away', ({ mail }) => mail.goAway()),
  mailFault('mail-slow', mood('slow')),
  mailFault('mail-hanging', mood('hanging')),
  mailFault('mail-refusing', mood('refusing')),
  prices,
  halfAsked,
];
