import { readPaymentMethods, readPlans, readWithdrawalMethods } from '../config/content.ts';
import type { Context } from '../context.ts';
import type { Mail } from '../modules/mail/service.ts';
import { createUsers } from '../modules/users/service.ts';
import { AppError } from '../platform/app-error.ts';
import { demoInvestor } from './investor.ts';

const actor = { kind: 'system' } as const;

/** Puts what a demo needs into a database that does not have it, through the same verbs that people use. */
export async function seedDemo(context: Context): Promise<void> {
  await seedOffers(context);
  await seedInvestor(context);
}

/** Plans and methods from `content/`, the first time only: what an operator changed stays changed. */
export async function seedOffers({ investment, funding, withdrawal }: Context): Promise<void> {
  if ((await investment.plans()).length === 0) {
    for (const [position, plan] of readPlans().plans.entries()) {
      const { planname, from: fromCents, to: toCents, durationDays, roiPercent } = plan;
      const roiPoints = Number(roiPercent);
      await investment.addPlan({
        plan: { planname, fromCents, toCents, durationDays, roiPoints, position },
        actor,
      });
    }
  }
  if ((await funding.paymentMethods()).length === 0) {
    const { sample, methods } = readPaymentMethods();
    for (const [position, method] of methods.entries()) {
      await funding.addPaymentMethod({ method: { ...method, sample, position }, actor });
    }
  }
  if ((await withdrawal.withdrawalMethods()).length === 0) {
    for (const [position, method] of readWithdrawalMethods().methods.entries()) {
      await withdrawal.addWithdrawalMethod({ method: { ...method, position }, actor });
    }
  }
}

/**
 * The sample investor. The mailed link is caught instead of sent: a mailbox full of letters to nobody would be a poor
 * welcome.
 */
async function seedInvestor({ config, db, clock, logger }: Context): Promise<void> {
  let linkToken = '';
  const caught: Mail = {
    async queue({ letter }) {
      if ('linkToken' in letter) linkToken = letter.linkToken;
    },
    queueAll: async () => {},
    deliver: () => Promise.reject(new Error('nothing is delivered while seeding')),
  };
  const { codes: codeSecret } = config.secrets;
  const users = createUsers({ db, clock, logger, mail: caught, codeSecret, session: config.session });
  const clientAddress = 'demo seed';
  try {
    await users.register({ ...demoInvestor, clientAddress });
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_exists') return;
    throw error;
  }
  await users.verifyLink({ token: linkToken, clientAddress });
}
