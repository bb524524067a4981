import { afterEach, expect, it } from 'vitest';
import { giveWay } from './jobs.ts';
import { load } from './load.ts';

afterEach(() => {
  load.requests = 0;
});

it('a job waits while much is asked for, and begins once that is over', async () => {
  load.requests = 500;
  let isBegun = false;
  const waiting = giveWay().then(() => {
    isBegun = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isBegun).toBe(false);
  load.requests = 0;
  await waiting;
  expect(isBegun).toBe(true);
});

it('a job does not wait for ever', async () => {
  load.requests = 500;
  await giveWay();
  expect(load.requests).toBe(500);
});
