import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { proofRuns } from '../../server/testing/proof-size.ts';
import { drillOf } from '../run-drill.ts';
import { killOf } from './kills.ts';

const drill = drillOf(fileURLToPath(new URL('main.ts', import.meta.url)), '--clients', '4', '--minutes', '5');

/** Among its first ten kills is one of each kind, and one that falls into a recovery; among its first three, three kinds. */
const seed = 89;
const kills = proofRuns(10, 3);

/** It looks for processes in /proc. */
const itDrills = it.runIf(process.platform === 'linux');

itDrills(
  `${kills} kills of server and database lose nothing that was acknowledged, and do nothing twice`,
  async () => {
    const { code, all, last } = await drill('--kills', String(kills), '--seed', String(seed));
    expect(all).not.toContain('WRONG');
    expect(last).toMatch(new RegExp(`^kills ${kills}, acknowledged [1-9]\\d*, lost 0, doubled 0$`));
    expect(code).toBe(0);
  },
  420_000,
);

itDrills(
  'a database that does not wait for its disk is found out',
  async () => {
    const { code, last } = await drill('--kills', '1', '--seed', String(seed), '--break', 'sync');
    expect(last).toMatch(/^kills 1, acknowledged \d+, lost [1-9]\d*, doubled \d+$/);
    expect(code).toBe(1);
  },
  420_000,
);

/** All are restarted in turn, then a web server is killed, then a worker. */
const ends = 3;

itDrills(
  `${ends} ends of two web servers and two workers leave every request to a retry and sign nobody out`,
  async () => {
    const { code, all, last } = await drill(
      '--servers',
      '2',
      '--kills',
      String(ends),
      '--seed',
      String(seed),
    );
    expect(all).not.toContain('WRONG');
    for (const end of ['all restarted in turn', 'a web server killed', 'a worker killed'])
      expect(all).toContain(`${end}: `);
    expect(all).not.toMatch(/^answers:.*\b401 /m);
    expect(last).toMatch(new RegExp(`^kills ${ends}, acknowledged [1-9]\\d*, lost 0, doubled 0$`));
    expect(code).toBe(0);
  },
  420_000,
);

it('kills are those of their seed and number, whatever came before them', () => {
  const ten = Array.from({ length: 10 }, (_, number) => killOf(seed, number));
  expect(killOf(seed, 7)).toEqual(ten[7]);
  expect([...new Set(ten.map(({ victim }) => victim))].sort()).toEqual([
    'backend',
    'both',
    'cluster',
    'postmaster',
    'server',
  ]);
  expect(ten.some(({ isEarly }) => isEarly)).toBe(true);
  expect(Array.from({ length: 10 }, (_, number) => killOf(seed + 1, number))).not.toEqual(ten);
});
