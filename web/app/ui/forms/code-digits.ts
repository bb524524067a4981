export interface CodeDigits {
  digits: string[];
  /** The box that should be written in next. */
  focus: number;
}

/**
 * What the boxes hold after `text` was typed, pasted or filled into box `at`. A whole code fills all boxes from the
 * first, wherever it was pasted; anything shorter goes on from the box it was put into.
 */
export function enterDigits(digits: readonly string[], at: number, text: string): CodeDigits {
  const entered = [...text.replace(/\D/g, '')];
  const start = entered.length >= digits.length ? 0 : at;
  const next = digits.map((digit, index) => entered[index - start] ?? digit);
  return { digits: next, focus: Math.min(start + entered.length, digits.length - 1) };
}

/** Backspace empties its own box first; in an empty one it steps back and empties that. */
export function eraseDigit(digits: readonly string[], at: number): CodeDigits {
  const focus = digits[at] ? at : Math.max(at - 1, 0);
  return { digits: digits.map((digit, index) => (index === focus ? '' : digit)), focus };
}
