import type { Network } from '@tallystick/contract/networks';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { Networks, SpendRow } from '../../networks/service.ts';
import { allOwed, owedTo } from './owed-store.ts';
import { withdrawalsPaid } from './rules.ts';

/** Of a network's withdrawals that are not paid: the payment that the chain shows for each. */
export async function paymentsShown(
  on: Db | Tx,
  chains: Pick<Networks, 'unclaimedTo'>,
  network: Network,
): Promise<Map<string, SpendRow>> {
  const owed = await allOwed(on, network);
  const matches = [...new Set(owed.map(({ match }) => match))];
  return withdrawalsPaid(await chains.unclaimedTo({ network, matches }, on), owed);
}

/**
 * Of these withdrawals, those that a chain shows a payment of, confirmed or not: whatever two have said of the sheet that
 * they stood on, their coins are on the way. Each is looked at by itself: a payment that fits several keeps all of them.
 */
export async function shownAmong(
  tx: Tx,
  chains: Pick<Networks, 'unclaimedTo'>,
  withdrawalIds: string[],
): Promise<Set<string>> {
  const shown = new Set<string>();
  const owed = await owedTo(tx, withdrawalIds);
  for (const [network, rows] of Map.groupBy(owed, (row) => row.network)) {
    const matches = [...new Set(rows.map(({ match }) => match))];
    const spends = await chains.unclaimedTo({ network, matches }, tx);
    for (const row of rows) if (withdrawalsPaid(spends, [row]).size > 0) shown.add(row.withdrawalId);
  }
  return shown;
}
