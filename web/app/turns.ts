/** Nobody waits longer for the one ahead: a slow answer must not hold up all others. */
const waitMsMax = 1_000;
/** For so long after an answer a reader's own question needs nobody ahead of it. */
const aliveMs = 10_000;

/**
 * A screen asks for many things at once, and none of them is answered when the session is over. So one question goes
 * ahead; the others wait for its answer, and are never sent if it was that nobody is signed in any more.
 */
export function createTurns(isSessionOver: (error: unknown) => boolean) {
  let answeredAt = Number.NEGATIVE_INFINITY;
  /** Comes to the refusal if the session is over, otherwise to nothing. */
  let ahead: Promise<unknown> | null = null;

  async function goAhead<T>(ask: () => Promise<T>): Promise<T> {
    const asked = ask();
    ahead = asked.then(
      () => null,
      (error) => (isSessionOver(error) ? error : null),
    );
    try {
      const answer = await asked;
      answeredAt = performance.now();
      return answer;
    } finally {
      ahead = null;
    }
  }

  /** What the screen asks by itself always waits its turn; a reader only when nothing was heard for a while. */
  return async function inTurn<T>(ask: () => Promise<T>, background: boolean): Promise<T> {
    if (!background && performance.now() - answeredAt < aliveMs) return ask();
    if (!ahead) return goAhead(ask);
    const refusal = await Promise.race([ahead, new Promise((go) => setTimeout(go, waitMsMax))]);
    if (refusal) throw refusal;
    return ask();
  };
}
