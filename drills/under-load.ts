import { type Field, takeTheField } from './field.ts';
import { investors } from './investor.ts';
import { chanceOf } from './seed.ts';
import { switchOnAndOff } from './teller.ts';

/** What every drill comes to in which people use the site all the while. */
export interface Tally {
  acknowledged: number;
  lost: number;
  doubled: number;
  /** Letters that were taken twice, as a kill or a failover at the wrong moment makes it. */
  repeated: number;
  findings: string[];
  answers: Map<number, number>;
  slowestMs: number;
}

export const tallyOf = (field: Field): Tally => ({
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  repeated: 0,
  findings: [],
  answers: field.heard,
  slowestMs: 0,
});

export const acknowledged = ({ acts }: Field) => acts.filter((act) => act.acknowledged).length;

interface Under {
  field: Field;
  result: Tally;
  seed: number;
  clients: number;
  /** Makes the site that they will use. */
  begin?(): Promise<void>;
  /** Does what the drill is for, and looks for what they were told. */
  course(crowd: Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** People who never give up and an operator, while something goes on: that it could not go on is a finding, too. */
export async function underLoad({
  field,
  result,
  seed,
  clients,
  begin,
  course,
  close,
}: Under): Promise<void> {
  let crowd: Promise<unknown> = Promise.resolve();
  try {
    await begin?.();
    await takeTheField(field, chanceOf(seed));
    const places = Array.from({ length: clients }, (_, place) => place);
    crowd = Promise.all([
      switchOnAndOff(field, chanceOf(seed, -1)),
      ...places.map((place) => investors(field, place, chanceOf(seed, -2 - place))),
    ]);
    await course(crowd);
  } catch (error) {
    field.findings.add(`the drill could not go on: ${(error as Error).stack}`);
    result.acknowledged ||= acknowledged(field);
    // What cannot be looked for is not there.
    result.lost ||= result.acknowledged;
  } finally {
    field.isStopping = true;
    field.isOver = true;
    await crowd.catch(() => {});
    await close();
  }
}

/** When all has been said. */
export const ended = <Result extends Tally>(result: Result, field: Field): Result => ({
  ...result,
  findings: [...field.findings],
  slowestMs: field.slowestMs,
});
