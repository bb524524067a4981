import { readPaymentMethods, readPlans, readWithdrawalMethods } from '../config/content.ts';
import type { Context } from '../context.ts';
import { logOriginOf } from '../modules/log/service.ts';
import { seedHistory } from './history.ts';
import { seedOperators } from './people.ts';

const actor = { kind: 'system' } as const;

/** Puts what a demo needs into a database that does not have it, through the same verbs that people use. */
export async function seedDemo(context: Context): Promise<void> {
  await seedOffers(context);
  await seedOperators(context);
  await seedHistory(context);
  await seedStatement(context);
}

/** The first statement of the books, so that there is one to look at; at another address a new one. A demo goes on without. */
async function seedStatement({ proof, config, logger }: Context): Promise<void> {
  const [newest] = await proof.statements({ limit: 1 });
  if (newest?.origin === logOriginOf(config.siteUrl)) return;
  await proof.prove().catch((error) => logger.warn({ err: error }, 'the first statement was not made'));
}

/** Plans and methods from `content/`, the first time only: what an operator changed or switched off stays so. */
export async function seedOffers({ investment, funding, withdrawal }: Context): Promise<void> {
  if ((await investment.offeredPlans()).length === 0) {
    for (const plan of readPlans().plans) {
      const { planname, from: fromCents, to: toCents, durationDays, reinvestable, exit } = plan;
      const roiPoints = Number(plan.roiPercent);
      const leaving = exit && {
        exitFromDay: exit.fromDay,
        exitKeepsPoints: Number(exit.keepsPercent),
        exitFeePoints: Number(exit.feePercent),
      };
      const terms = { planname, fromCents, toCents, durationDays, roiPoints, reinvestable, ...leaving };
      await investment.addPlan({ plan: terms, actor });
    }
  }
  if ((await funding.allPaymentMethods()).length === 0) {
    const { sample, methods } = readPaymentMethods();
    for (const method of methods) await funding.addPaymentMethod({ method: { ...method, sample }, actor });
  }
  if ((await withdrawal.allWithdrawalMethods()).length === 0) {
    for (const method of readWithdrawalMethods().methods) {
      await withdrawal.addWithdrawalMethod({ method, actor });
    }
  }
}
