/** The one ahead is waited for no longer: a slow answer must not hold up all others. */
const waitMsMax = 1_000;
/** For so long after an answer a reader's own question needs nobody ahead of it. */
const aliveMs = 10_000;

/**
 * Ends the task that is running and comes back in one of its own: between the two the browser draws, and hears whoever
 * presses something. By no timer, which would wait a while, and longer the more of them there are.
 */
export function ownTask(): Promise<void> {
  return new Promise((goOn) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      goOn();
    };
    port2.postMessage(null);
  });
}

/**
 * A screen asks for many things at once, and none of them is answered when the session is over. So one question goes
 * ahead; the others wait for its answer, and are never sent if it was that nobody is signed in any more.
 */
export function createTurns(isSessionOver: (error: unknown) => boolean) {
  let answeredAt = Number.NEGATIVE_INFINITY;
  /** Comes to the refusal if the session is over, otherwise, be it that it takes too long, to nothing. */
  let ahead: Promise<unknown> | null = null;

  async function goAhead<T>(ask: () => Promise<T>): Promise<T> {
    const asked = ownTask().then(ask);
    const refusal = asked.then(
      () => null,
      (error) => (isSessionOver(error) ? error : null),
    );
    ahead = Promise.race([refusal, new Promise((go) => setTimeout(go, waitMsMax))]);
    try {
      const answer = await asked;
      answeredAt = performance.now();
      return answer;
    } finally {
      ahead = null;
    }
  }

  /**
   * What the screen asks by itself always waits its turn; a reader only when nothing was heard for a while. A dozen
   * questions in one task kept a phone busy for a quarter of a second: each has its own.
   */
  return async function inTurn<T>(ask: () => Promise<T>, background: boolean): Promise<T> {
    if (background || performance.now() - answeredAt >= aliveMs) {
      if (!ahead) return goAhead(ask);
      const refusal = await ahead;
      if (refusal) throw refusal;
    }
    await ownTask();
    return ask();
  };
}
