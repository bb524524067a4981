import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { InboxMessage } from '../../demo/inbox.ts';
import { createSealer } from '../../platform/sealing.ts';

const waitMsMax = 25_000;
/** Before all others. */
const foremost = -100;

export interface Mailbox {
  /** All letters that were written to an address by now, the last written first. */
  letters(address: string): Promise<InboxMessage[]>;
  /** The code and the long link's token in the last of them that has a code. */
  code(address: string): Promise<{ code: string; linkToken: string }>;
}

interface Job {
  id: string;
  /** For a retry, or for others that are more urgent. */
  waits: boolean;
  attempts: number;
  last_error: string | null;
}

/** Two letters on their way at once may overtake each other: the number of its job says which was written later. */
function jobOf({ headers }: InboxMessage): number {
  const messageId = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? '';
  return Number(/^<(\d+)\./.exec(messageId)?.[1]);
}

/** Reads what really went through SMTP. */
export function createMailbox(context: () => Context): Mailbox {
  /** The letters to an address that have not arrived. */
  async function onTheirWay(address: string): Promise<Job[]> {
    const { owner, config } = context();
    const { open } = createSealer(config.secrets.mail);
    const { rows } = await owner.query<Job & { sealed: string }>(
      `select id, priority > $1 or run_at > now() as waits, attempts, last_error, payload->>'sealed' as sealed
       from graphile_worker._private_jobs`,
      [foremost],
    );
    return rows.filter(({ sealed }) => JSON.parse(open(sealed)).to.address === address);
  }

  /** A letter is queued with what it tells of, so whatever was done before is in the queue or has arrived. */
  async function letters(address: string): Promise<InboxMessage[]> {
    const giveUpAt = performance.now() + waitMsMax;
    for (;;) {
      const awaited = await onTheirWay(address);
      if (awaited.length === 0) break;
      if (performance.now() > giveUpAt)
        throw new Error(`letters to ${address} do not come: ${JSON.stringify(awaited)}`);
      // Hundreds of other people's letters may be before them, and this is not about how fast those leave.
      await context().owner.query('select graphile_worker.reschedule_jobs($1::bigint[], now(), $2)', [
        awaited.filter(({ waits }) => waits).map(({ id }) => id),
        foremost,
      ]);
      await delay(20);
    }
    const all = (await context().inbox?.list()) ?? [];
    const found = all.filter((mail) => mail.to.includes(address));
    return found.toSorted((one, other) => jobOf(other) - jobOf(one));
  }

  return {
    letters,
    async code(address) {
      for (const { text } of await letters(address)) {
        const code = /^\s*(\d{4})\s*$/m.exec(text)?.[1];
        const linkToken = /#link=([\w-]{22})/.exec(text)?.[1];
        if (code && linkToken) return { code, linkToken };
      }
      throw new Error(`no letter to ${address} has a code`);
    },
  };
}
