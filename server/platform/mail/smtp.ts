import nodemailer, { type SendMailOptions } from 'nodemailer';
import { isLoopbackUrl } from '../http/origin.ts';

interface Mailbox {
  name: string;
  address: string;
}

/** Exactly what a message may hold: no attachments, so nothing can make the mailer read a file or fetch an address. */
interface OutgoingMessage {
  from: Mailbox;
  to: Mailbox;
  replyTo: Mailbox;
  subject: string;
  html: string;
  text: string;
  messageId: string;
  date: Date;
  headers: Record<string, string>;
}

export interface MailTransport {
  /** Done when the mail server has taken the message. */
  send(message: OutgoingMessage): Promise<void>;
  /** Whether the mail server greets us, and lets us in. */
  answers(): Promise<boolean>;
  close(): void;
}

/** A password must not cross a network in clear, not even when someone in between hides that the server knows STARTTLS. */
function needsTls(smtpUrl: string): boolean {
  const { username, password } = new URL(smtpUrl);
  return (username !== '' || password !== '') && !isLoopbackUrl(smtpUrl);
}

/** What stands in the URL wins, for example `smtp://user:pass@relay?requireTLS=false`. */
export function transportOptions(smtpUrl: string) {
  return {
    url: smtpUrl,
    pool: true as const,
    maxConnections: 4,
    // Shorter than the minute after which servers commonly hang up, so that no message meets a dead connection.
    idleTimeout: 30_000,
    // One quick second try for a connection that died unseen; beyond that the job queue spaces the tries.
    maxRequeues: 1,
    // A server that is well answers at once.
    dnsTimeout: 5_000,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    // Longer, because many look into a message before they take it, and one that was given up is sent once more.
    socketTimeout: 20_000,
    requireTLS: needsTls(smtpUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const awayCodes = /^(ETIMEDOUT|ECONNECTION|ESOCKET|EDNS|EPROTOCOL|EAUTH|ENOAUTH|ETLS)$/;
/** The server's own word for it: it closes the connection. */
const closingReply = 421;

/** Whether an error is about the mail server as a whole, so that every other letter would fail as well. */
export function isMailServerAway(error: Error & { code?: string; responseCode?: number }): boolean {
  return awayCodes.test(error.code ?? '') || error.responseCode === closingReply;
}

export function createTransport(smtpUrl: string): MailTransport {
  const pool = nodemailer.createTransport(transportOptions(smtpUrl));
  return {
    async send(message) {
      await pool.sendMail(message satisfies SendMailOptions);
    },
    answers() {
      return pool.verify().then(
        () => true,
        () => false,
      );
    },
    close() {
      pool.close();
    },
  };
}
