import pg from 'pg';
import type { ClusterNode } from './node.ts';
import { settingsOf } from './patroni.ts';

/** What has to be true of the primary for nothing acknowledged to be lost with it. */
export interface Strictness {
  settings: Record<string, unknown>;
  standbyNames: string;
  synchronousCommit: string;
  checksums: string;
  acknowledging: number;
}

export function lacksOf(found: Strictness): string[] {
  const { settings, standbyNames, synchronousCommit, checksums, acknowledging } = found;
  return [
    settings.synchronous_mode !== true &&
      'synchronous_mode is not on: patronictl edit-config -s synchronous_mode=true',
    settings.synchronous_mode_strict !== true &&
      'synchronous_mode_strict is not on: patronictl edit-config -s synchronous_mode_strict=true',
    standbyNames === '' && 'synchronous_standby_names is empty: no standby is waited for',
    // Written by strict mode when no standby is there: whoever replicates could acknowledge.
    standbyNames.includes('*') && 'synchronous_standby_names is *: any replication login can acknowledge',
    !['on', 'remote_apply'].includes(synchronousCommit) &&
      `synchronous_commit is ${synchronousCommit}: patronictl edit-config -p synchronous_commit=on`,
    acknowledging === 0 && 'no standby acknowledges',
    checksums !== 'on' && 'data_checksums is off: pg_checksums --enable on each node while it is stopped',
  ].filter((lack) => lack !== false);
}

/** From Patroni's own settings and from the primary, which has them from Patroni or from somebody else. */
export async function readStrictness(leader: ClusterNode): Promise<Strictness> {
  const client = new pg.Client({ connectionString: leader.adminUrl(), connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Omit<Strictness, 'settings'>>(
      `select current_setting('synchronous_standby_names') as "standbyNames", current_setting('data_checksums') as checksums,
         current_setting('synchronous_commit') as "synchronousCommit",
         (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as acknowledging`,
    );
    if (!rows[0]) throw new Error('the primary says nothing of itself');
    return { ...rows[0], settings: await settingsOf(leader) };
  } finally {
    await client.end().catch(() => {});
  }
}
