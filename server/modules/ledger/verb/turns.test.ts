import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('the next one’s turn comes when the one before has ended', async () => {
  const takeTurn = createTurns({ msMax: 60_000 });
  const [first, second] = [takeTurn(), takeTurn()];
  const steps: string[] = [];
  const secondCame = second.come().then(() => steps.push('second'));
  await first.come();
  steps.push('first');
  first.end();
  await secondCame;
  expect(steps).toEqual(['first', 'second']);
});

it('who has waited for too long gives up, and nobody overtakes those before', async () => {
  const takeTurn = createTurns({ msMax: 5 });
  const first = takeTurn();
  await first.come();
  const second = takeTurn();
  await expect(second.come()).rejects.toMatchObject({ code: 'busy' });
  second.end();
  const third = takeTurn();
  await expect(third.come()).rejects.toMatchObject({ code: 'busy' });
  third.end();
  first.end();
  await takeTurn().come();
});
