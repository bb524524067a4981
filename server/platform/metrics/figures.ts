import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

type Labels = Record<string, string>;

/** A number that a part tells, or several with what sets them apart; null for what is not known. */
interface Figure<Facts> {
  name: string;
  help: string;
  labels?: readonly string[];
  of(facts: Facts): number | null | readonly (readonly [Labels, number | null])[];
}

/** What one part of the server knows of itself, and which figures are made of it. */
export interface Part<Facts> {
  name: string;
  ask(): Facts | Promise<Facts>;
  figures: readonly Figure<Facts>[];
}

/** For whoever collects figures every few seconds and gives up after a few. */
const usualAskMsMax = 1_500;
/** One part is asked after the other, on the same connection; one that takes longer is not waited for by the next. */
const turnMsMax = 50;

interface FiguresNeeds {
  registry: Registry;
  /** What was asked so recently is not asked again. */
  keptMs: number;
  askMsMax?: number;
}

/** Figures that are looked up when somebody wants them. A part that does not answer in time keeps none of the others back. */
export function createFigures({ registry, keptMs, askMsMax = usualAskMsMax }: FiguresNeeds) {
  const looks: ((late: Promise<boolean>) => Promise<void>)[] = [];
  const registers = [registry];
  const answered = new Gauge({
    name: 'tallystick_part_answered',
    help: '1 when a part of the server answered in time. Its figures are NaN or absent when it is 0.',
    labelNames: ['part'],
    registers,
  });

  function gaugeOf<Facts>({ name, help, labels = [], of }: Figure<Facts>) {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers });
    return (facts: Facts | null) => {
      const told = facts === null ? (labels.length > 0 ? [] : null) : of(facts);
      gauge.reset();
      if (Array.isArray(told)) for (const [of, value] of told) gauge.set(of, value ?? Number.NaN);
      else gauge.set((told as number | null) ?? Number.NaN);
    };
  }

  return {
    add<Facts>({ name, ask, figures }: Part<Facts>): void {
      const gauges = figures.map(gaugeOf);
      const show = (facts: Facts | null) => {
        answered.set({ part: name }, facts === null ? 0 : 1);
        for (const set of gauges) set(facts);
      };
      let asking: Promise<void> | null = null;
      let askedAt = Number.NEGATIVE_INFINITY;
      looks.push(async (late) => {
        if (!asking && performance.now() - askedAt < keptMs) return;
        // One that is still under way is shared, however long it takes: what hangs is not asked in vain again.
        asking ??= Promise.resolve()
          .then(ask)
          .then(show)
          .catch(() => show(null))
          .finally(() => {
            asking = null;
            askedAt = performance.now();
          });
        const isLate = await Promise.race([asking.then(() => false), late]);
        if (isLate) show(null);
      });
    },

    /** Brings all of them up to date, or leaves empty what cannot be known just now. */
    async gather(): Promise<void> {
      const done = new AbortController();
      const { signal } = done;
      const late = delay(askMsMax, true, { signal }).catch(() => false);
      const asked: Promise<void>[] = [];
      for (const look of looks) {
        const one = look(late);
        asked.push(one);
        await Promise.race([one, delay(turnMsMax, undefined, { signal }).catch(() => {})]);
      }
      await Promise.all(asked);
      done.abort();
    },
  };
}

export type Figures = ReturnType<typeof createFigures>;
