import type { Context } from './context.ts';
import { sendMailTask } from './modules/mail/service.ts';
import { type JobRunner, startJobs } from './platform/jobs.ts';

/** What happens by the clock, in UTC. */
const crontab = `
* * * * * settle-due
7 * * * * check-books
20 3 * * * forget-expired
`;

/** Starts the worker: every job that any module queues is named here, with the verb that does it. */
export function startWork({ owner, mail, users, investment, ledger, logger }: Context): Promise<JobRunner> {
  return startJobs({
    owner,
    logger,
    crontab,
    tasks: {
      [sendMailTask]: mail.deliver,
      'settle-due': async () => void (await investment.settleDue()),
      'check-books': async () => void (await ledger.checkBooks()),
      'forget-expired': users.forgetExpired,
    },
  });
}
