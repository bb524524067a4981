import { hash } from 'node:crypto';
import { networkOf } from '@tallystick/contract/networks';
import type { Tx } from '../../platform/postgres/db.ts';
import { createListRoot } from '../log/service.ts';
import type { Networks } from '../networks/service.ts';
import { type BookFacts, mondayOf } from './lines-rules.ts';
import { dueByWeek, heldByMethod } from './owed-store.ts';

type Prices = Awaited<ReturnType<Networks['newestPrices']>>;
type Standing = Omit<BookFacts, 'number' | 'at' | 'depth' | 'root' | 'owed'>;

const weeksTold = 13;

/** What a statement tells beside what is owed: what falls due, and what is held. */
export async function standingAt(
  tx: Tx,
  { networks, prices, at }: { networks: Networks; prices: Prices; at: Date },
): Promise<Standing> {
  const held = await networks.heldOnChains(tx, prices);
  const addresses = { shared: [], derived: [], keys: [] } as Pick<Standing, 'shared' | 'derived' | 'keys'>;
  for (const { network } of held) {
    const list = createListRoot();
    const derived = { network, count: 0, units: 0n };
    for await (const { address, units, ...each } of networks.holdingAddresses(tx, network)) {
      if (each.derived) {
        list.add(`${address} ${units}\n`);
        derived.count += 1;
        derived.units += units;
      } else addresses.shared.push({ network, units, address });
    }
    if (derived.count > 0) addresses.derived.push({ ...derived, root: list.root() });
    for (const key of await networks.keyTexts(tx, network))
      addresses.keys.push({ network, sha256: hash('sha256', key, 'hex') });
  }
  const methods = (await heldByMethod(tx)).filter(({ coin }) => {
    const network = networkOf(coin);
    return !network || !networks.isWatched(network);
  });
  return {
    due: await dueByWeek(tx, mondayOf(at), weeksTold, at),
    held,
    cold: await networks.coldAddresses(tx),
    ...addresses,
    typed: methods.flatMap(({ amountCents: cents, enteredAt, paymentname: name }) =>
      cents === null || enteredAt === null ? [] : [{ cents, at: enteredAt, name }],
    ),
  };
}
