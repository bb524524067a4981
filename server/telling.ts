import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { createMoney } from './context.ts';
import type { JournalMovement, Ledger } from './modules/ledger/service.ts';
import { createCorrectionLetters } from './modules/operator/service.ts';
import type { LetterAbout, Users } from './modules/users/service.ts';
import type { Logger } from './platform/logger.ts';
import { isDatabaseAway } from './platform/postgres/away.ts';
import type { Tx } from './platform/postgres/db.ts';
import { addJobs } from './platform/work/jobs.ts';

/** What a module's investors are told of movements that are its own. */
type LettersAbout = (tx: Tx, movements: JournalMovement[]) => Promise<LetterAbout[]>;

type Money = ReturnType<typeof createMoney>;

interface TellingNeeds {
  ledger: Ledger;
  users: Users;
  lettersAbout: LettersAbout[];
  logger: Logger;
}

/** What each module tells. */
export const lettersOf = ({ ledger, investment, funding, withdrawal }: Money): LettersAbout[] => [
  investment.lettersAbout,
  funding.lettersAbout,
  withdrawal.lettersAbout,
  createCorrectionLetters({ ledger }),
];

export const tellTask = 'tell-of-movement';
const TellPayload = z.object({ number: z.coerce.bigint() });

const reader = 'letters';
const toldAtOnce = 500;
const lookMs = 250;

/**
 * Investors are told of every movement of their money. The movement itself is why the letter is owed, so moving money
 * needs to know nothing of letters: they are written from the journal, each once, in the transaction that notes how far
 * it was read.
 */
export function createTelling({ ledger, users, lettersAbout, logger }: TellingNeeds) {
  async function tell(tx: Tx, movements: JournalMovement[]): Promise<void> {
    const letters: LetterAbout[] = [];
    for (const about of lettersAbout) letters.push(...(await about(tx, movements)));
    // In the order in which it happened, whichever module tells it.
    await users.writeTo({ tx, letters: letters.toSorted((a, b) => Number(a.number - b.number)) });
  }

  const setAside = (tx: Tx, movements: JournalMovement[]) =>
    addJobs(
      tx,
      movements.map(({ number }) => ({ task: tellTask, payload: { number: String(number) } })),
    );

  /** Together, or one by one; what cannot be told at all is tried again by itself and holds up nobody's letters. */
  async function tellOn(): Promise<void> {
    for (const atOnce of [toldAtOnce, 1]) {
      try {
        await ledger.readOn({ reader, act: tell, atOnce });
        return;
      } catch (error) {
        if (isDatabaseAway(error as Error)) throw error;
        logger.error({ err: error, atOnce }, 'letters about movements could not be written');
      }
    }
    await ledger.readOn({ reader, act: setAside, atOnce: 1 });
  }

  /** What can be told by now; whoever writes at this moment is waited for another time. */
  const tellSome = () => ledger.readOn({ reader, act: tell, atOnce: toldAtOnce });

  return {
    async tellAgain({ payload }: { payload: unknown }): Promise<void> {
      await ledger.actOn({ number: TellPayload.parse(payload).number, act: tell });
    },

    hasTold: () => ledger.hasRead({ reader }),

    tellSome,

    /** All that happened until now is told before it comes back, where nothing else happens meanwhile. */
    async tellAll(): Promise<void> {
      while (!(await ledger.hasRead({ reader }))) await tellSome();
    },

    /** Tells until it is stopped. */
    start() {
      const stopping = new AbortController();
      async function run(): Promise<void> {
        while (!stopping.signal.aborted) {
          // The database is away, which whoever waits for an answer is told; here there is always another time.
          await tellOn().catch((error) => logger.debug({ err: error }, 'the journal could not be read'));
          // Also when there is more: letters are written faster than they are sent, and money needs the machine as well.
          await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
        }
      }
      const ended = run();
      return {
        async stop(): Promise<void> {
          stopping.abort();
          await ended;
        },
      };
    },
  };
}

export type Telling = ReturnType<typeof createTelling>;
