import type { Context } from './context.ts';
import { sendMailTask } from './modules/mail/service.ts';
import type { Watchers } from './modules/networks/service.ts';
import { forgetCounts } from './platform/http/connections/general-limit.ts';
import { startClockWork } from './platform/work/clock-work.ts';
import { forgetDeadJobs, type JobRunner, startJobs } from './platform/work/jobs.ts';
import { tellTask } from './telling.ts';

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;

type Forgetting = Pick<
  Context,
  'users' | 'account' | 'mail' | 'notices' | 'contact' | 'ledger' | 'log' | 'owner' | 'db' | 'clock'
>;

/** What is done with what the chains show. */
export const watchersOf = ({ funding, withdrawal }: Pick<Context, 'funding' | 'withdrawal'>): Watchers => ({
  async afterReading(network) {
    // A payment that cannot be taken in keeps nothing that was paid out from being marked as paid.
    try {
      await funding.takeIn(network);
    } finally {
      await withdrawal.settlePayouts(network);
    }
  },
  async onGone(tx, { payments, spends }) {
    if (payments.length > 0) await withdrawal.freezeAfterLoss(tx, await funding.takeBack(tx, payments));
    await withdrawal.missPayouts(tx, spends);
  },
});

/** What has come to its end, module by module; one that fails keeps none of the others from it. */
export async function forgetAll(context: Forgetting): Promise<void> {
  const { users, account, mail, notices, contact, ledger, log, owner, db, clock } = context;
  const works = [
    users.forgetExpired,
    account.forgetClosed,
    mail.forgetSent,
    notices.forgetOld,
    contact.forgetMessages,
    ledger.forgetRefusals,
    ledger.forgetChecks,
    log.forgetStops,
    () => forgetDeadJobs(owner),
    () => forgetCounts(db, clock.now()),
  ];
  const failures: unknown[] = [];
  for (const work of works) await work().catch((error) => failures.push(error));
  if (failures.length > 1) {
    throw new AggregateError(failures, failures.map((failure) => (failure as Error).message).join('; '));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * What happens without a request: every job that any module queues and everything that happens by the clock is named
 * here, with the verb that does it. The two share nothing: a mail server that hangs holds up letters and no money.
 */
export function startWork(context: Context): JobRunner {
  const {
    owner,
    db,
    log,
    mail,
    users,
    investment,
    networks,
    withdrawal,
    ledger,
    proof,
    telling,
    sampleChain,
    logger,
    metrics,
  } = context;
  const letters = startJobs({
    owner,
    logger,
    support: mail.server,
    onRun: (task, outcome) => metrics.jobs.inc({ task, outcome }),
    tasks: { [sendMailTask]: mail.deliver, [tellTask]: telling.tellAgain },
  });
  const told = telling.start();
  const logged = log.start();
  const watching = networks.watch(watchersOf(context));
  const clockWork = startClockWork({
    db,
    logger,
    watched: metrics.works,
    works: [
      {
        name: 'settle-due',
        everySeconds: minuteSeconds,
        run: async () => void (await investment.settleDue()),
      },
      { name: 'tell-maturities', everySeconds: minuteSeconds, run: investment.tellMaturities },
      ...(sampleChain ? [{ name: 'sample-chain', everySeconds: 2, run: sampleChain.read }] : []),
      { name: 'check-books', everySeconds: hourSeconds, run: async () => void (await ledger.checkBooks()) },
      {
        name: 'expire-payout-sheets',
        everySeconds: minuteSeconds,
        run: async () => void (await withdrawal.expireSheets()),
      },
      { name: 'remove-factors', everySeconds: minuteSeconds, run: users.carryOutRemovals },
      { name: 'end-protections', everySeconds: minuteSeconds, run: withdrawal.endProtections },
      { name: 'prove-daily', everySeconds: minuteSeconds, run: proof.proveIfDue },
      { name: 'keep-prices', everySeconds: minuteSeconds, run: networks.keepPrices },
      {
        name: 'forget-expired',
        everySeconds: hourSeconds,
        run: () => forgetAll(context),
      },
    ],
  });
  return {
    async stop() {
      proof.stop();
      await Promise.all([told.stop(), logged.stop(), letters.stop(), watching.stop(), clockWork.stop()]);
    },
  };
}
