import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';

const waitMsMax = 20_000;

export interface Letter {
  subject: string;
  text: string;
}

export interface Mailbox {
  /** The letters to an address, newest first, once there are at least `count` of them. */
  letters(address: string, count?: number): Promise<Letter[]>;
  /** The code and the long link's token in the newest of at least `count` letters. */
  code(address: string, count?: number): Promise<{ code: string; linkToken: string }>;
}

/** Reads what really went through SMTP. */
export function createMailbox(context: () => Context): Mailbox {
  async function letters(address: string, count = 1): Promise<Letter[]> {
    const giveUpAt = performance.now() + waitMsMax;
    for (;;) {
      const all = (await context().inbox?.list()) ?? [];
      const found = all.filter((mail) => mail.to.includes(address));
      if (found.length >= count) return found;
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
