/** What a script around these commands has to tell apart. docs/operations.md lists them. */
export const exitCodes = {
  done: 0,
  /** Everything is there, and the books in it do not agree. */
  booksDisagree: 1,
  /** It could not be done, whatever the reason; nothing is left of it, or the sentence says what is. */
  failed: 2,
  notEmpty: 3,
  notWhole: 4,
  otherVersion: 5,
  serverRuns: 6,
} as const;

/** A reason not to begin, in one sentence for the person at the terminal. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(reason: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[reason];
  }
}

/** Something is there already, and not all that belongs to it: its sentence says so. */
export class Unfinished extends Error {}
