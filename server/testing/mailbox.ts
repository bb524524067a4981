import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { InboxMessage } from '../demo/inbox.ts';

const waitMsMax = 20_000;

export interface Letter {
  subject: string;
  text: string;
}

export interface Mailbox {
  /** The letters to an address, the last written first, once there are at least `count` of them. */
  letters(address: string, count?: number): Promise<Letter[]>;
  /** The code and the long link's token in the last written of at least `count` letters. */
  code(address: string, count?: number): Promise<{ code: string; linkToken: string }>;
}

/** Two letters on their way at once may overtake each other: the number of its job says which was written later. */
function jobOf({ headers }: InboxMessage): number {
  const messageId = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? '';
  return Number(/^<(\d+)\./.exec(messageId)?.[1]);
}

/** Reads what really went through SMTP. */
export function createMailbox(context: () => Context): Mailbox {
  async function letters(address: string, count = 1): Promise<Letter[]> {
    const giveUpAt = performance.now() + waitMsMax;
    for (;;) {
      const all = (await context().inbox?.list()) ?? [];
      const found = all.filter((mail) => mail.to.includes(address));
      if (found.length >= count) return found.toSorted((one, other) => jobOf(other) - jobOf(one));
      if (performance.now() > giveUpAt)
        throw new Error(`${found.length} of ${count} letters came for ${address}`);
      await delay(20);
    }
  }
  return {
    letters,
    async code(address, count) {
      const [newest] = await letters(address, count);
      const code = /^\s*(\d{4})\s*$/m.exec(newest?.text ?? '')?.[1];
      const linkToken = /#link=([\w-]{22})/.exec(newest?.text ?? '')?.[1];
      if (!code || !linkToken) throw new Error(`no code or link in: ${newest?.text}`);
      return { code, linkToken };
    },
  };
}
