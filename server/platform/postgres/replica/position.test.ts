import { describe, expect, it } from 'vitest';
import { type Need, type Position, positionOf, positionToText, type Seen, unfitFor } from './position.ts';

const at = (lsn: number, timeline = 1): Position => ({ timeline, lsn: BigInt(lsn) });
const marks = { least: at(1_000), newest: at(2_000) };
const anybody: Need = { after: null, server: null };
const seen = (change: Partial<Seen> = {}): Seen => ({
  server: 'one',
  isOurs: true,
  isReplica: true,
  position: at(1_500),
  ...change,
});

describe('a position', () => {
  it('is remembered as text', () => {
    const position = { timeline: 12, lsn: 2n ** 62n };
    expect(positionOf(positionToText(position))).toEqual(position);
  });

  it.each(['', 'unknown', '1', '1.', '.1', '1.-5', '1.2.3', '1.0x10', `1.${'9'.repeat(20)}`, ' 1.2'])(
    'is not "%s"',
    (text) => {
      expect(positionOf(text)).toBeNull();
    },
  );
});

describe('a replica is read', () => {
  it('when it is at most as old as the least mark', () => {
    expect(unfitFor(seen(), anybody, marks)).toBeNull();
    expect(unfitFor(seen({ position: at(1_000) }), anybody, marks)).toBeNull();
    expect(unfitFor(seen({ position: at(999) }), anybody, marks)).toBe('behind');
  });

  it('when it has what whoever asks has written', () => {
    expect(unfitFor(seen(), { ...anybody, after: at(1_500) }, marks)).toBeNull();
    expect(unfitFor(seen(), { ...anybody, after: at(1_501) }, marks)).toBe('written');
  });

  it('when it has answered the same request before', () => {
    expect(unfitFor(seen(), { ...anybody, server: 'one' }, marks)).toBeNull();
    expect(unfitFor(seen(), { ...anybody, server: 'two' }, marks)).toBe('moved');
  });

  it('not when it is of another database, or a replica no more', () => {
    expect(unfitFor(seen({ isOurs: false }), anybody, marks)).toBe('foreign');
    expect(unfitFor(seen({ isReplica: false }), anybody, marks)).toBe('promoted');
  });

  it('not on another timeline than that of the primary, however far it has come there', () => {
    const cutOff = seen({ position: at(9_000, 1) });
    expect(unfitFor(cutOff, anybody, { least: at(1_000, 2), newest: at(2_000, 2) })).toBe('timeline');
    expect(unfitFor(seen({ position: at(9_000, 3) }), anybody, marks)).toBe('timeline');
  });

  it('after a failover by whoever wrote before it, once it has come as far', () => {
    const now = { least: at(1_000, 2), newest: at(2_000, 2) };
    const wrote = { ...anybody, after: at(1_800, 1) };
    expect(unfitFor(seen({ position: at(1_700, 2) }), wrote, now)).toBe('written');
    expect(unfitFor(seen({ position: at(1_800, 2) }), wrote, now)).toBeNull();
  });

  it('not by whoever wrote on a newer timeline than this server has heard of', () => {
    expect(unfitFor(seen(), { ...anybody, after: at(1_200, 2) }, marks)).toBe('written');
  });

  it('all the same by whoever shows a position that the primary cannot have reached', () => {
    expect(unfitFor(seen(), { ...anybody, after: { timeline: 1, lsn: 2n ** 60n } }, marks)).toBeNull();
    expect(unfitFor(seen(), { ...anybody, after: at(1_200, 500) }, marks)).toBeNull();
  });
});
