import type { Context } from '../../context.ts';
import { QueuedMail } from '../../modules/mail/rules.ts';
import { createSealer } from '../../platform/sealing.ts';

type Queued = QueuedMail & { jobId: string };

/** The letters that lie in the queue, in the order in which they were written. */
export async function queuedLetters({ owner, config }: Pick<Context, 'owner' | 'config'>): Promise<Queued[]> {
  const { open } = createSealer(config.secrets.mail);
  const { rows } = await owner.query<{ jobId: string; sealed: string }>(
    `select id as "jobId", payload->>'sealed' as sealed from graphile_worker._private_jobs
     where payload->>'sealed' is not null order by id`,
  );
  return rows.map(({ jobId, sealed }) => ({ jobId, ...QueuedMail.parse(JSON.parse(open(sealed))) }));
}
