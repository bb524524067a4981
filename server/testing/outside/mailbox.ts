import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { InboxMessage } from '../../demo/inbox.ts';
import { queuedLetters } from './queued-letters.ts';

const waitMsMax = 60_000;

export interface Mailbox {
  /** All letters that were written to an address by now, the last written first. */
  letters(address: string): Promise<InboxMessage[]>;
  /** The code and the long link's token in the last of them that has a code. */
  code(address: string): Promise<{ code: string; linkToken: string }>;
}

/** Two letters on their way at once may overtake each other: the number of its job says which was written later. */
function jobOf({ headers }: InboxMessage): number {
  const messageId = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? '';
  return Number(/^<(\d+)\./.exec(messageId)?.[1]);
}

/** Reads what really went through SMTP. */
export function createMailbox(context: () => Context): Mailbox {
  /** What was done before has its letter in the queue, or it has arrived, once the journal is read. */
  async function journalRead(): Promise<void> {
    const { telling } = context();
    const giveUpAt = performance.now() + waitMsMax;
    while (!(await telling.hasTold())) {
      if (performance.now() > giveUpAt) throw new Error('The journal is not read');
      // Now rather than when the server next looks, unless a test is about a letter that cannot be written.
      await telling.tellSome().catch(() => delay(20));
    }
  }

  async function sentTo(address: string): Promise<InboxMessage[]> {
    const queued = await queuedLetters(context());
    await sent(queued.filter(({ to }) => to.address === address).map(({ jobId }) => jobId));
    const all = (await context().inbox?.list()) ?? [];
    const found = all.filter((mail) => mail.to.includes(address));
    return found.toSorted((one, other) => jobOf(other) - jobOf(one));
  }

  async function sent(jobs: string[]): Promise<void> {
    if (jobs.length === 0) return;
    const { owner } = context();
    // Hundreds of other people's letters may be before them, and this is not about how fast those leave.
    await owner.query('select graphile_worker.reschedule_jobs($1::bigint[], priority => -100)', [jobs]);
    const giveUpAt = performance.now() + waitMsMax;
    for (;;) {
      const { rows } = await owner.query(
        'select id, attempts, last_error from graphile_worker.jobs where id = any($1::bigint[])',
        [jobs],
      );
      if (rows.length === 0) return;
      if (performance.now() > giveUpAt) throw new Error(`Letters do not leave: ${JSON.stringify(rows)}`);
      await delay(20);
    }
  }

  return {
    async letters(address) {
      await journalRead();
      return sentTo(address);
    },
    async code(address) {
      // No movement of money sends a code, so the journal is not waited for.
      for (const { text } of await sentTo(address)) {
        const code = /^\s*(\d{4})\s*$/m.exec(text)?.[1];
        const linkToken = /#link=([\w-]{22})/.exec(text)?.[1];
        if (code && linkToken) return { code, linkToken };
      }
      throw new Error(`no letter to ${address} has a code`);
    },
  };
}
