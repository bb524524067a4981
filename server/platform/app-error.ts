import { type ErrorCode, statusOf } from '@tallystick/contract/errors';

interface AppErrorDetails {
  /** Told to the caller with a Retry-After header. */
  retryAfterSeconds?: number;
  /** Only with `email_unverified`: where the person goes on. */
  userid?: string;
}

/** The one way to refuse. `message` is written for the person who reads it; nothing internal belongs in it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly userid: string | undefined;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.userid = details.userid;
  }

  get status(): number {
    return statusOf[this.code];
  }
}
