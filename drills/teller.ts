import { setTimeout as delay } from 'node:timers/promises';
import { plans, switchplan } from '@tallystick/contract/operator/plans';
import { answerOf, codeOf, createAsker } from './ask.ts';
import { type Field, settled } from './field.ts';
import type { Chance } from './seed.ts';

/** The plan that nobody invests in here. */
export const switchedPlan = 'Reserve';
const pauseMs = 200;

/** An operator who switches a plan off and on, which the public log tells each time: load for the log. */
export async function switchOnAndOff(field: Field, chance: Chance): Promise<void> {
  const asker = createAsker(field.port, '198.51.100.3', field.msMax);
  const [cookie] = field.operators;
  const read = await settled(field, { asker, chance }, plans, { cookie });
  const found =
    read && answerOf(plans, read.outcome)?.plans.find(({ planname }) => planname === switchedPlan);
  for (let number = 1; found && !field.isStopping; number += 1) {
    const act = {
      kind: 'switch' as const,
      email: switchedPlan,
      cents: number,
      transactionid: '',
      acknowledged: false,
    };
    field.acts.push(act);
    const done = await settled(field, { asker, chance }, switchplan, {
      params: { id: found._id },
      cookie,
      body: { active: number % 2 === 0 },
    });
    if (!done) break;
    act.acknowledged = done.outcome.status === 200;
    const isBefore = done.wasTried && codeOf(done.outcome) === 'already_decided';
    if (!act.acknowledged && !isBefore) {
      field.findings.add(`a switch was refused: ${JSON.stringify(done.outcome)}`);
      break;
    }
    await delay(chance.below(2 * pauseMs));
  }
  asker.close();
}
