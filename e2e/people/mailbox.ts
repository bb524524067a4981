import { expect } from '@playwright/test';

interface Letter {
  to: string;
  subject: string;
  text: string;
}

interface CodeLetter {
  code: string;
  /** The long link, for browsers that did not ask for the code. */
  link: string;
}

export interface Mailbox {
  /** The newest code mailed to an address, once there are at least `count` letters of this kind. */
  code(address: string, kind: 'activation' | 'password reset', count?: number): Promise<CodeLetter>;
  /** Waits for a letter whose subject holds these words. */
  letter(address: string, subject: string, count?: number): Promise<Letter>;
}

/** Reads what the server really sent by SMTP, from the development inbox that took it. */
export function openMailbox(siteUrl: string): Mailbox {
  async function letters(address: string, subject: string): Promise<Letter[]> {
    const answer = await fetch(`${siteUrl}/dev/inbox.json`);
    const { messages } = (await answer.json()) as { messages: Letter[] };
    return messages.filter((letter) => letter.to.includes(address) && letter.subject.includes(subject));
  }

  async function letter(address: string, subject: string, count = 1): Promise<Letter> {
    let found: Letter[] = [];
    const look = async () => {
      found = await letters(address, subject);
      return found.length;
    };
    await expect
      .poll(look, { message: `letters to ${address} about '${subject}'`, intervals: [50] })
      .toBeGreaterThanOrEqual(count);
    const [newest] = found;
    if (!newest) throw new Error('no letter');
    return newest;
  }

  return {
    letter,
    async code(address, kind, count) {
      const { text } = await letter(address, `${kind} code`, count);
      const code = /^(\d{4})$/m.exec(text)?.[1];
      const link = /^https?:\/\/\S+#link=\S+$/m.exec(text)?.[0];
      if (!code || !link) throw new Error(`no code or no link in:\n${text}`);
      return { code, link };
    },
  };
}
