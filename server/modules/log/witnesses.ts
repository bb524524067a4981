import type { Logger } from '../../platform/logger.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { checkpointText, findCosignature, parseWitnessVkey, type WitnessKey } from './note-rules.ts';
import { consistencyRanges, hashOf, tilesOf } from './rules.ts';
import {
  cosignaturesOf,
  insertCosignature,
  lastWitnessed,
  readTiles,
  type SignedCheckpoint,
} from './store.ts';

/** Whom the log shows its checkpoints to. */
export interface Witness {
  vkey: string;
  url: string;
  /** Started by the demo itself: it shows how it works and proves nothing. */
  sample: boolean;
}

interface Asked extends Witness, WitnessKey {
  isBusy: boolean;
  failures: number;
  /** Milliseconds of the process's own clock. */
  notBefore: number;
}

const answerMsMax = 5_000;
const answerBytesMax = 16 * 1024;
const retryMsMax = 60_000;

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > answerBytesMax) throw new Error('it answered with too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface WitnessesNeeds {
  db: Db;
  logger: Logger;
  origin: string;
  witnesses: readonly Witness[];
}

/** Each is asked by itself and within bounds: one that is down, slow or hostile holds up neither the log nor the others. */
export function createWitnesses({ db, logger, origin, witnesses }: WitnessesNeeds) {
  const stopping = new AbortController();
  const asked: Asked[] = witnesses.map((witness) => ({
    ...witness,
    ...parseWitnessVkey(witness.vkey),
    isBusy: false,
    failures: 0,
    notBefore: 0,
  }));
  const names = asked.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error('Two witnesses have one name.');
  const underWay = new Set<Promise<void>>();

  async function consistency(oldSize: number, size: number): Promise<string[]> {
    const ranges = consistencyRanges(oldSize, size);
    const tiles = await readTiles(db, tilesOf(ranges));
    return ranges.map((range) => `${hashOf(range, tiles).toString('base64')}\n`);
  }

  async function send({ url }: Asked, checkpoint: SignedCheckpoint, oldSize: number) {
    const proof = await consistency(oldSize, checkpoint.size);
    const response = await fetch(`${url.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      body: `old ${oldSize}\n${proof.join('')}\n${checkpoint.note}`,
      redirect: 'error',
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerMsMax)]),
    });
    return { status: response.status, text: await textOf(response) };
  }

  /** The size that a witness says it knows, when that is another than it was told. */
  function sizeItKnows(text: string, checkpoint: SignedCheckpoint): number {
    const known = /^(0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : Number.NaN;
    if (known <= checkpoint.size) return known;
    // Its word alone, so nothing stops because of it; but whoever runs the server has to know.
    throw new Error(`it answered 409 and knows ${Number.isNaN(known) ? 'no size' : `${known} entries`}`);
  }

  async function ask(witness: Asked, checkpoint: SignedCheckpoint): Promise<void> {
    const text = checkpointText(origin, checkpoint);
    const lines = (await cosignaturesOf(db, checkpoint.size)).map(({ line }) => line);
    if (findCosignature(lines, text, witness)) return;
    const last = (await lastWitnessed(db, [witness.name])).get(witness.name);
    let answer = await send(witness, checkpoint, Math.min(last?.size ?? 0, checkpoint.size));
    if (answer.status === 409) {
      answer = await send(witness, checkpoint, sizeItKnows(answer.text, checkpoint));
    }
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    const found = findCosignature(answer.text.match(/[^\n]*\n/g) ?? [], text, witness);
    if (!found) throw new Error('its signature is not one under this checkpoint');
    await insertCosignature(db, { size: checkpoint.size, witness: witness.name, ...found });
  }

  async function askOnce(witness: Asked, checkpoint: SignedCheckpoint): Promise<void> {
    witness.isBusy = true;
    try {
      await ask(witness, checkpoint);
      witness.failures = 0;
      witness.notBefore = 0;
    } catch (error) {
      if (stopping.signal.aborted) return;
      witness.failures += 1;
      witness.notBefore = performance.now() + Math.min(1_000 * 2 ** (witness.failures - 1), retryMsMax);
      const reason = (error as Error).message;
      logger.warn({ witness: witness.name, reason }, 'a witness has not signed the log; it is asked again');
    } finally {
      witness.isBusy = false;
    }
  }

  return {
    names,

    /** Shows them a checkpoint that they have not signed yet, and does not wait for them. */
    show(checkpoint: SignedCheckpoint): void {
      for (const witness of asked) {
        if (witness.isBusy || witness.notBefore > performance.now() || stopping.signal.aborted) continue;
        const asking = askOnce(witness, checkpoint).finally(() => underWay.delete(asking));
        underWay.add(asking);
      }
    },

    /** Their signatures under a checkpoint, and nobody else's. */
    async signaturesUnder(checkpoint: SignedCheckpoint): Promise<string[]> {
      if (asked.length === 0) return [];
      const text = checkpointText(origin, checkpoint);
      const lines = (await cosignaturesOf(db, checkpoint.size)).map(({ line }) => line);
      return asked.flatMap((witness) => findCosignature(lines, text, witness)?.line ?? []);
    },

    async state() {
      const last = await lastWitnessed(db, names);
      return asked.map(({ name, vkey, sample }) => ({
        name,
        vkey,
        sample,
        size: last.get(name)?.size ?? null,
        at: last.get(name)?.at ?? null,
      }));
    },

    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}
