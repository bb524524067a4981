import { randomBytes } from 'node:crypto';

const perMsMax = 4_096;

/**
 * Ids that sort as they were made (UUID version 7, whose second part counts within the millisecond): those of one
 * transaction keep the order in which things happened, and a list needs no column beside the id to go on from.
 */
export function createIds(random: () => Buffer = () => randomBytes(8)) {
  let lastMs = 0;
  let made = 0;
  return (now: Date): string => {
    const ms = Math.max(now.getTime(), lastMs);
    made = ms === lastMs ? made + 1 : 0;
    lastMs = made < perMsMax ? ms : ms + 1;
    made %= perMsMax;
    const time = lastMs.toString(16).padStart(12, '0');
    const rest = random();
    rest.writeUInt8((rest.readUInt8(0) & 0x3f) | 0x80, 0);
    const hex = `${time}7${made.toString(16).padStart(3, '0')}${rest.toString('hex')}`;
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
}
