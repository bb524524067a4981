/**
 * Every refusal the API can give, with the HTTP status it travels under.
 * The map is the type: a code without a status cannot be written.
 */
export const statusOf = {
  invalid_request: 400,
  weak_password: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  totp_wrong: 401,
  insufficient_funds: 402,
  cross_site: 403,
  not_yours: 403,
  second_factor_required: 403,
  step_up_required: 403,
  second_operator_needed: 403,
  not_found: 404,
  already_decided: 409,
  already_saved: 409,
  account_not_empty: 409,
  key_reused: 409,
  name_taken: 409,
  terms_changed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  email_exists: 422,
  email_unknown: 422,
  email_unverified: 422,
  email_read_only: 422,
  email_wrong: 422,
  code_wrong: 422,
  code_locked: 422,
  link_wrong: 422,
  reset_not_begun: 422,
  passwords_differ: 422,
  new_password_refused: 422,
  old_password_wrong: 422,
  already_verified: 422,
  outside_range: 422,
  choice_closed: 422,
  address_wrong: 422,
  address_not_saved: 422,
  exit_refused: 422,
  signature_wrong: 422,
  factor_wrong: 422,
  flow_over: 422,
  withdrawals_frozen: 423,
  address_waits: 423,
  too_many_requests: 429,
  internal: 500,
  busy: 503,
  prices_unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof statusOf;

export const errorCodes = Object.keys(statusOf) as [ErrorCode, ...ErrorCode[]];

/** How whoever is refused with `second_factor_required` or `step_up_required` goes on; by mail only where no factor is on. */
export const factorWays = ['passkey', 'code', 'recovery', 'mail'] as const;
export type FactorWay = (typeof factorWays)[number];

/** The body of every answer that is not a success. `userid` comes with `email_unverified` alone, `ways` where a factor is asked for. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  userid?: string | undefined;
  ways?: FactorWay[] | undefined;
}

/**
 * Null for what is no refusal of ours, such as the page of a proxy. A code is known by its form: a newer server may have
 * one that this reader has not, and what it says is for the person all the same.
 */
export function readErrorBody(answer: unknown): ErrorBody | null {
  const { code, message, userid, ways } = Object(answer) as Record<keyof ErrorBody, unknown>;
  if (!isErrorCode(code) || typeof message !== 'string') return null;
  return {
    code,
    message,
    userid: typeof userid === 'string' ? userid : undefined,
    ways: Array.isArray(ways) ? factorWays.filter((way) => ways.includes(way)) : undefined,
  };
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && /^[a-z_]+$/.test(code);

/** The catalogue's texts, to the letter, typing oddities included. Screens show these; servers never send them. */
export const userText = {
  loginRefused: 'Invalid email or password',
  formFailed: 'Unknown error exist while submiting form',
  emailExists: 'User email already exist',
  codeWrong: 'Code does not exist',
  verifyFailed: 'Unknown error occurred while submitting the form',
  forgotEmailUnknown: 'Invalid email',
  insufficientFund: 'You Have Insufficient Fund',
  /** The same words for a withdrawal, as specified. */
  commandFailed: 'Error Making Investment',
  passwordsDiffer: "Password and confirm password field don't match",
} as const;
