import { type ErrorCode, type FactorWay, statusOf } from '@tallystick/contract/errors';

/** Stands in a message for the operator it speaks of. Modules know them by id; the console puts the name there. */
export const who = '{who}';

interface RefusalDetails {
  /** Told to the caller with a Retry-After header. */
  retryAfterSeconds?: number;
  /** The id of the operator whom the message speaks of. */
  by?: string | null;
}

interface AppErrorDetails extends RefusalDetails {
  /** Only with `email_unverified`: where the person goes on. */
  userid?: string;
  /** Where a factor is asked for: which will do. */
  ways?: FactorWay[];
}

/** The one way to refuse. `message` is written for the person who reads it; nothing internal belongs in it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly userid: string | undefined;
  readonly ways: FactorWay[] | undefined;
  readonly by: string | null | undefined;
  readonly #text: string;

  constructor(code: ErrorCode, text: string, { retryAfterSeconds, userid, ways, by }: AppErrorDetails = {}) {
    super(by === undefined ? text : text.replace(who, 'another operator'));
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.userid = userid;
    this.ways = ways;
    this.by = by;
    this.#text = text;
  }

  get status(): number {
    return statusOf[this.code];
  }

  /** Where operators are known by name, the message names the one it speaks of. */
  nameOperator(name: string): void {
    this.message = this.#text.replace(who, () => name);
  }
}

/** A refusal that is not thrown: of many that are decided together, one's concerns no other. */
export type Refusal = { refused: { code: ErrorCode; message: string } & RefusalDetails };

export const refuse = (code: ErrorCode, message: string, more: RefusalDetails = {}): Refusal => ({
  refused: { code, message, ...more },
});

export const errorOf = ({ refused: { code, message, ...more } }: Refusal): AppError =>
  new AppError(code, message, more);
