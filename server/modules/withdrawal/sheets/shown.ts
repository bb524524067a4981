import type { Network } from '@tallystick/contract/networks';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { Networks, SpendRow } from '../../networks/service.ts';
import { withdrawalsPaid } from './rules.ts';
import { allOwed } from './sheet-store.ts';

/** Of a network's withdrawals that are not paid, or of the given ones: the payment that the chain shows for each. */
export async function paymentsShown(
  on: Db | Tx,
  chains: Pick<Networks, 'unclaimedTo'>,
  { network, withdrawalIds }: { network: Network; withdrawalIds?: string[] },
): Promise<Map<string, SpendRow>> {
  const owed = await allOwed(on, network, withdrawalIds);
  const matches = [...new Set(owed.map(({ match }) => match))];
  return withdrawalsPaid(await chains.unclaimedTo({ network, matches }, on), owed);
}
