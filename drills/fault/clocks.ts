import { setTimeout as delay } from 'node:timers/promises';
import type { Act, Field } from '../field.ts';
import { asSuperuser, type Ground, startServer, underFault, untilMoneyMoves } from './ground.ts';
import type { Fault } from './network.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const jumps = [5 * hourMs, -5 * hourMs, 400 * dayMs, -400 * dayMs];
const eachMs = 3_000;
const moneyMsMax = 60_000;

/** Nothing of a month's term is over while a drill lasts, whatever a server's clock says. */
async function paidEarly(ground: Ground, name: string): Promise<string[]> {
  const rows = await asSuperuser<{ count: number; ahead: number }>(
    ground,
    `select count(*) filter (where settled_at is not null)::int as count,
       count(*) filter (where opened_at > pg_catalog.clock_timestamp() + interval '1 minute')::int as ahead
     from investments join users on users.id = user_id where email like '${name}-%'`,
  );
  const { count = 0, ahead = 0 } = rows[0] ?? {};
  return [
    ...(count > 0 ? [`${count} investments were paid early`] : []),
    ...(ahead > 0 ? [`${ahead} investments are dated ahead`] : []),
  ];
}

/** The server's own clock is set while people are at work. Money is dated by the database's. */
const serverClock: Fault = {
  name: 'server-clock',
  breaks: ['lost', 'early'],
  run: (ground, { block, breaks }) =>
    underFault(ground, {
      name: 'server-clock',
      block,
      port: () => ground.site.port,
      mayEndSessions: true,
      invents: breaks === 'lost',
      async fault(field) {
        // Operators' sessions end with the clock, and the sample chain grows by it.
        field.isClosedForDeposits = true;
        for (const jump of jumps) {
          ground.setClock(jump);
          await delay(eachMs);
          await untilMoneyMoves(field, moneyMsMax);
        }
        ground.setClock(0);
      },
      async afterwards(field) {
        if (breaks === 'early') {
          await asSuperuser(
            ground,
            `set session_replication_role = replica; update investments set settled_at = now(), settled_transactionid = 'TS-NONE-0000'
               where id = (select investments.id from investments join users on users.id = user_id
                 where email like 'server-clock-%' limit 1)`,
          );
        }
        for (const wrong of await paidEarly(ground, 'server-clock')) field.findings.add(wrong);
      },
    }),
};

/**
 * What the server's statements take for the database's clock: functions of the same names, found before PostgreSQL's own
 * because the path says so. What stands in column defaults and in functions with a path of their own is not moved.
 */
const ownClock = `
  create schema if not exists drill;
  create table if not exists drill.shift (by interval not null);
  delete from drill.shift;
  insert into drill.shift values (interval '0');
  create or replace function drill.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + (select by from drill.shift)';
  create or replace function drill.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + (select by from drill.shift)';
  grant usage on schema drill to public;
  grant select on drill.shift to public;`;

/** Sign-ups go on, and what comes on the sample chain is told when it is sent and not when it is credited. */
const moneyKinds: Act['kind'][] = ['investment', 'withdrawal', 'cancellation'];
const counted = ({ acts, heard }: Field) => ({
  moved: acts.filter(({ kind, acknowledged }) => acknowledged && moneyKinds.includes(kind)).length,
  toldToWait: heard.get(503) ?? 0,
});

/** Counted anew each time, once what was on its way is through: an earlier refusal says nothing of this clock. */
async function standsStill(field: Field, why: string): Promise<void> {
  await delay(eachMs);
  const before = counted(field);
  await delay(eachMs);
  const after = counted(field);
  if (after.moved > before.moved) field.findings.add(`money moved ${why}`);
  if (after.toldToWait === before.toldToWait) field.findings.add(`nobody was told to wait ${why}`);
}

const databaseClock: Fault = {
  name: 'database-clock',
  breaks: ['lost'],
  async run(ground, { block, breaks }) {
    await asSuperuser(
      ground,
      `${ownClock} alter database tallystick set search_path = public, drill, pg_catalog`,
    );
    await ground.site.stop();
    await startServer(ground);
    try {
      return await underFault(ground, {
        name: 'database-clock',
        block,
        port: () => ground.site.port,
        mayEndSessions: true,
        invents: breaks === 'lost',
        async fault(field) {
          field.isClosedForDeposits = true;
          // Behind what it has dated already, money stands still: that is told, and ends with the jump.
          for (const jump of jumps.filter((by) => by < 0)) {
            await asSuperuser(ground, `update drill.shift set by = interval '${jump} milliseconds'`);
            await standsStill(field, `while the clock was set back by ${-jump / hourMs} hours`);
          }
          await asSuperuser(ground, `update drill.shift set by = interval '0'`);
        },
      });
    } finally {
      await asSuperuser(ground, 'alter database tallystick reset search_path');
    }
  },
};

export const clockFaults: Fault[] = [serverClock, databaseClock];
