import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/**
 * What lies between two who talk to each other. `cut`: every line breaks, and new ones too. `slow`: every piece takes its
 * time. `half-open`: lines stay, and nothing that is said arrives any more. `unheard`: a line breaks right before the
 * word that its caller waits for. `garbled`: that word is replaced by another.
 */
export type Weather =
  | { kind: 'fair' | 'cut' | 'half-open' }
  | { kind: 'slow'; ms: number }
  | { kind: 'unheard'; word: string; every: number }
  | { kind: 'garbled'; word: string; by: string };

export interface FaultProxy {
  port: number;
  /** How often something that was said was kept back or replaced. */
  struck(): number;
  set(weather: Weather): void;
  close(): Promise<void>;
}

/** A line through a proxy: both ends, and whether what was said on it has been lost, so that it never goes on. */
interface Line {
  ends: [Socket, Socket];
  isDead: boolean;
}

/** When one end is gone, so is the other, after a while; of a line that nothing passes on that is not heard of, either. */
function onceEnded(line: Line, afterMs: () => number): void {
  const [near, far] = line.ends;
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => {
      if (!line.isDead) setTimeout(() => other.destroy(), afterMs());
    });
  }
}

/** Few lines instead of a program of its own: it is for one machine, and has to do what is asked at this very moment. */
export async function startProxy(targetPort: () => number): Promise<FaultProxy> {
  let weather: Weather = { kind: 'fair' };
  let struck = 0;
  let heard = 0;
  const lines = new Set<Line>();

  const breakOff = (line: Line) => {
    for (const end of line.ends) end.resetAndDestroy();
    lines.delete(line);
  };

  function pass(line: Line, to: Socket, piece: Buffer, isAnswer: boolean): void {
    if (line.isDead || weather.kind === 'half-open') {
      line.isDead = true;
      struck += 1;
      return;
    }
    if (weather.kind === 'slow') {
      setTimeout(() => to.writable && to.write(piece), weather.ms);
      return;
    }
    if (isAnswer && 'word' in weather && piece.includes(weather.word)) {
      heard += 1;
      if (weather.kind === 'garbled') {
        struck += 1;
        to.end(weather.by);
        return;
      }
      if (heard % weather.every === 0) {
        struck += 1;
        breakOff(line);
        return;
      }
    }
    to.write(piece);
  }

  const server = createServer({ noDelay: true }, (near) => {
    if (weather.kind === 'cut') return void near.resetAndDestroy();
    const far = connect({ host: '127.0.0.1', port: targetPort(), noDelay: true });
    const line: Line = { ends: [near, far], isDead: false };
    lines.add(line);
    near.on('data', (piece: Buffer) => pass(line, far, piece, false));
    far.on('data', (piece: Buffer) => pass(line, near, piece, true));
    onceEnded(line, () => {
      lines.delete(line);
      return weather.kind === 'slow' ? weather.ms : 0;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    struck: () => struck,
    set(next) {
      weather = next;
      struck = 0;
      heard = 0;
      if (next.kind === 'cut') for (const line of lines) breakOff(line);
    },
    close() {
      for (const line of lines) breakOff(line);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
