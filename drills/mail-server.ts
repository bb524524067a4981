import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** What of a letter a drill counts; the letter itself is not kept, or an hour of them would fill the memory. */
interface Letter {
  messageId: string;
  to: string;
  subject: string;
  /** The transactions it names. */
  transactionids: string[];
  linkToken: string | null;
  /** Each time it was taken, by `performance.now()`. */
  takenAt: number[];
}

export type MailMood = 'taking' | 'slow' | 'hanging' | 'refusing';

export interface MailServer {
  url: string;
  mood: MailMood;
  /** By their Message-ID. */
  letters: Map<string, Letter>;
  lettersTo(address: string): Letter[];
  /** Once whoever was killed has nothing here any more that was sent before: it is taken, and the line is down. */
  heardOut(): Promise<void>;
  /** Nobody answers at its address any more, and then somebody does again. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const slowMs = 1_500;
const hearingOutMsMax = 2_000;

async function readLetter(raw: Buffer): Promise<Omit<Letter, 'takenAt'>> {
  const { messageId = '', to, subject = '', text = '' } = await PostalMime.parse(raw);
  return {
    messageId,
    to: to?.[0]?.address ?? '',
    subject,
    transactionids: [...new Set(text.match(/\bTS-[0-9A-Z]+-[0-9A-Z]+\b/g))],
    linkToken: /#link=([\w-]{22})/.exec(text)?.[1] ?? null,
  };
}

/** A real mail server on loopback that remembers whatever it has taken, and how often. */
export async function startMailServer({ forgets = 0 } = {}): Promise<MailServer> {
  let toForget = forgets;
  let port = 0;
  let inHand = 0;
  const letters = new Map<string, Letter>();
  const byAddress = new Map<string, Letter[]>();

  async function take(raw: Buffer): Promise<void> {
    const letter = await readLetter(raw);
    if (self.mood === 'slow') await delay(slowMs);
    if (self.mood === 'hanging') await new Promise(() => {});
    if (self.mood === 'refusing') throw Object.assign(new Error('not now'), { responseCode: 451 });
    // Of a payment on the chain there may be one letter more or less; of an investment there is one.
    if (toForget > 0 && letter.subject.startsWith('You invested')) {
      // The negative control: it says that it has taken the letter, and nobody will ever see it.
      toForget -= 1;
      return;
    }
    const known = letters.get(letter.messageId);
    if (known) return void known.takenAt.push(performance.now());
    const kept = { ...letter, takenAt: [performance.now()] };
    letters.set(kept.messageId, kept);
    byAddress.set(kept.to, [...(byAddress.get(kept.to) ?? []), kept]);
  }

  const listen = async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 50,
      logger: false,
      onData(stream, _session, callback) {
        inHand += 1;
        buffer(stream)
          .then(take)
          .finally(() => {
            inHand -= 1;
          })
          .then(() => callback(), callback);
      },
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.server.address() as AddressInfo).port;
    return server;
  };
  let server = await listen();
  const openLines = () =>
    new Promise<number>((resolve) => server.server.getConnections((_error, count) => resolve(count)));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));

  const self: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mood: 'taking',
    letters,
    lettersTo: (address) => byAddress.get(address) ?? [],
    async heardOut() {
      const giveUpAt = performance.now() + hearingOutMsMax;
      while ((inHand > 0 || (await openLines()) > 0) && performance.now() < giveUpAt) await delay(2);
    },
    goAway: close,
    async comeBack() {
      server = await listen();
    },
    close,
  };
  return self;
}
