import { fetchbalance } from '@tallystick/contract/funding';
import { nextmaturity } from '@tallystick/contract/investment';
import { history, summary } from '@tallystick/contract/ledger';
import { dayMs, minuteMs } from '../../domain/dates.ts';
import { readSession, readStored, removeStored, writeStored } from '../../storage.ts';

/**
 * What the dashboard last showed, for whoever opens it without a connection: questions that change nothing, of one person,
 * in this browser alone. Open requests are not among them: they name addresses to pay to, and one that is no longer good
 * must not be paid to. `storage.ts` takes everything away with the session.
 */
const keptKeys: readonly unknown[] = [
  [summary.path, {}],
  [nextmaturity.path, {}],
  [fetchbalance.path, { query: { page: '1' } }],
  [history.path, { query: { days: '30' } }],
];
const keptTexts = new Set(keptKeys.map((key) => JSON.stringify(key)));

/** As long as a session lives at most: what nobody could have been shown any more by the server is not shown here. */
const keptMsMax = dayMs;
/** Figures that have not changed get their new time as often. */
const restMs = minuteMs;

export interface Figure {
  key: unknown[];
  data: unknown;
  at: number;
}

interface Kept {
  userId: string;
  figures: Figure[];
}

export function readFigures(userId: string, now: number): Figure[] {
  const kept = parse(readStored('figures'));
  // A clock that was put back makes no figures younger.
  const isYoung = ({ at }: Figure) => now - at < keptMsMax && at - now < minuteMs;
  const figures = (kept?.userId === userId ? kept.figures : []).filter(isYoung);
  if (kept && figures.length === 0) removeStored('figures');
  return figures;
}

/** Of whoever is not signed in here, nothing stays. */
export function forgetOthers(userId: string): void {
  const text = readStored('figures');
  if (text !== null && parse(text)?.userId !== userId) removeStored('figures');
}

function parse(text: string | null): Kept | null {
  try {
    const { userId, figures } = JSON.parse(text ?? 'null') as Kept;
    return { userId, figures: figures.filter(({ key }) => keptTexts.has(JSON.stringify(key))) };
  } catch {
    return null;
  }
}

/** Of one person. An answer that comes after they have signed out is kept nowhere. */
export function createKeeper(userId: string) {
  const figures = new Map<string, Figure>();
  let writtenAt = Number.NEGATIVE_INFINITY;

  function write(now: number): void {
    if (figures.size === 0 || readSession()?._id !== userId) return;
    writtenAt = now;
    writeStored('figures', JSON.stringify({ userId, figures: [...figures.values()] } satisfies Kept));
  }

  return {
    keep(key: readonly unknown[], data: unknown, at: number): void {
      const text = JSON.stringify(key);
      if (!keptTexts.has(text)) return;
      // The same answer is the same object.
      const isNews = figures.get(text)?.data !== data;
      figures.set(text, { key: [...key], data, at });
      if (isNews || at - writtenAt > restMs) write(at);
    },
    /** The screen is being left: with the newest times. */
    settle: write,
  };
}
