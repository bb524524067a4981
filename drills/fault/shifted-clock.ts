/**
 * Loaded before a drill's server (`--import`): the process sees another time of day whenever CLOCK_FILE says so, from the
 * moment of SIGUSR2 on. Timers and `performance.now()` go on as they are, as they do when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
let shiftMs = 0;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

process.on('SIGUSR2', () => {
  shiftMs = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'));
});
