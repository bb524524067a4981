import { randomUUIDv7 } from 'node:crypto';
import { type Network, networks } from '@tallystick/contract/networks';
import { addressRefusal } from '../../../platform/address.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import type { BitcoinNetwork } from '../../../platform/chains/bitcoin/params.ts';
import type { CoinChain, UnspentCoin } from '../../../platform/chains/chain.ts';
import { destinationKey } from '../../../platform/chains/destination.ts';
import { NodeError } from '../../../platform/chains/node-error.ts';
import type { OpenChain } from '../../../platform/chains/open-chains.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { lockNames } from '../../../platform/postgres/locks.ts';
import { createProposals } from '../../../platform/second-operator.ts';
import { insertAddress } from '../address-store.ts';
import { cursorOf } from '../cursor-store.ts';
import { keepPayments, unpriced } from '../payment-store.ts';
import { coldAddressesMax, familyOf } from '../rules.ts';
import {
  type ColdChangeRow,
  type ColdDraft,
  decideColdChange,
  insertColdChange,
  knownAddress,
  listAddress,
  listedAddresses,
  lockColdChange,
  removeAddress,
  waitingColdChanges,
} from './cold-store.ts';

interface ColdNeeds {
  db: Db;
  clock: Clock;
  chains: Partial<Record<Network, OpenChain>>;
  bitcoinNetwork: BitcoinNetwork;
}

type NamedCoin = UnspentCoin & { txid: string; output: number };

const wrong = (text: string) => new AppError('address_wrong', text);

/**
 * Addresses of our own that no deposit comes to. Whatever lies there counts as held, so that one operator alone could
 * make us look rich with a stranger's: each waits for a second one, and so does leaving it out again.
 */
export function createCold({ db, clock, chains, bitcoinNetwork }: ColdNeeds) {
  /** Coins that lay there before anybody looked: as the node has them now, or not at all. */
  async function coinsNamed(network: Network, match: string, names: string[]): Promise<NamedCoin[]> {
    if (names.length === 0) return [];
    const open = chains[network];
    if (!open || familyOf(network) !== 'bitcoin') {
      throw new AppError(
        'outside_range',
        `On ${networks[network].name} the node knows what an address holds.`,
      );
    }
    const chain = open.chain as CoinChain;
    const found: NamedCoin[] = [];
    for (const name of new Set(names)) {
      const [txid = '', output = ''] = name.split(':');
      const coin = await chain.coinAt(txid, Number(output)).catch((error) => {
        if (!(error instanceof NodeError)) throw error;
        throw new AppError('busy', error.message);
      });
      if (!coin) throw new AppError('outside_range', `${name} is spent, or was never there.`);
      if (coin.destination !== match) {
        throw new AppError('outside_range', `${name} lies at another address.`);
      }
      found.push({ ...coin, txid, output: Number(output) });
    }
    return found;
  }

  async function refuseKnown(tx: Tx, network: Network, match: string) {
    const known = await knownAddress(tx, familyOf(network), match);
    if (!known || known.purpose === 'cold') return known;
    throw wrong(
      known.purpose === 'change'
        ? 'This is where change of our own payouts goes. It is counted already.'
        : 'Deposits come to this address. It is counted already.',
    );
  }

  function refuseTooMany({ length }: readonly unknown[]): void {
    if (length < coldAddressesMax) return;
    const why = `${length} cold addresses are listed, as many as a statement of the books has room for. Leave one out first.`;
    throw new AppError('outside_range', why);
  }

  async function keepCoins(tx: Tx, network: Network, addressId: bigint, coins: NamedCoin[]): Promise<void> {
    const rows = coins.map(({ destination: _, ...coin }) => ({
      id: randomUUIDv7(),
      network,
      addressId,
      ...coin,
      ...unpriced,
      seenAt: clock.now(),
      state: 'ours' as const,
    }));
    await keepPayments(tx, rows);
  }

  /** Nobody reads the chain meanwhile: it is looked for in every block from the next on, and in none before. */
  async function list(tx: Tx, change: ColdChangeRow, now: Date): Promise<void> {
    const { id: changeId, network, match, address, label } = change;
    const { name } = networks[network];
    if (!chains[network]) throw new AppError('outside_range', `There is no node for ${name} any more.`);
    await lockNames(tx, [`reader of ${network}`]);
    const cursor = await cursorOf(tx, network);
    if (!cursor) throw new AppError('busy', `${name} has not been read yet. Try again in a moment.`);
    const coins = await coinsNamed(network, match, change.coins);
    await lockNames(tx, ['addresses']);
    refuseTooMany(await listedAddresses(tx));
    const none = { tag: null, ownerId: null, keyId: null, branch: null, index: null };
    const made =
      (await refuseKnown(tx, network, match)) ??
      (await insertAddress(tx, { family: familyOf(network), match, address, purpose: 'cold', ...none }, now));
    if (!made) throw new Error('an address is neither there nor new');
    await listAddress(tx, {
      network,
      addressId: made.id,
      label,
      heightFrom: cursor.height + 1,
      changeId,
      now,
    });
    await keepCoins(tx, network, made.id, coins);
  }

  const changes = createProposals<ColdChangeRow, ColdDraft>({
    db,
    clock,
    unknown: 'There is no such change of a cold address.',
    decided: () => 'This was decided',
    taken: 'A change of this address waits for a second operator already.',
    insert: insertColdChange,
    lock: lockColdChange,
    async decide(tx, change, decision) {
      const { id: subjectId, removes, askedBy } = change;
      await decideColdChange(tx, subjectId, decision);
      const details = { ...detailsOf(change), askedBy };
      if (!decision.agreed) return { action: 'cold-address.dropped', subjectId, details };
      if (removes) await removeAddress(tx, change, decision.now);
      else await list(tx, change, decision.now);
      return { action: removes ? 'cold-address.removed' : 'cold-address.listed', subjectId, details };
    },
  });

  const propose = (tx: Tx, draft: ColdDraft, actor: Actor) =>
    changes.propose(tx, draft, {
      actor,
      action: draft.removes ? 'cold-address.removal-asked' : 'cold-address.asked',
      details: detailsOf(draft),
    });

  return {
    coldAddresses: (tx?: Tx) => listedAddresses(tx ?? db),
    waitingColdChanges: () => waitingColdChanges(db),

    async listColdAddress(input: {
      network: Network;
      address: string;
      label: string;
      coins: string[];
      actor: Actor;
    }): Promise<void> {
      const { network, address, label, coins, actor } = input;
      if (!chains[network]) {
        const why = `There is no node for ${networks[network].name}: enter what is held there by hand.`;
        throw new AppError('outside_range', why);
      }
      const refusal = addressRefusal(network, address, bitcoinNetwork);
      const match = destinationKey(network, address, bitcoinNetwork);
      if (refusal || match === null) throw wrong(refusal ?? 'Nothing can be paid to this address.');
      await coinsNamed(network, match, coins);
      await inTransaction(db, async (tx) => {
        await refuseKnown(tx, network, match);
        const listed = await listedAddresses(tx);
        if (listed.some((each) => each.network === network && each.match === match)) {
          throw new AppError('already_decided', 'This address is listed already.');
        }
        refuseTooMany(listed);
        await propose(tx, { network, address, match, label, coins, removes: false }, actor);
      });
    },

    async removeColdAddress({ id, actor }: { id: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const listed = (await listedAddresses(tx)).find((each) => each.id === id);
        if (!listed) throw new AppError('not_found', 'This address is not listed (any more).');
        const { network, address, match, label } = listed;
        await propose(tx, { network, address, match, label, coins: [], removes: true }, actor);
      });
    },

    agreeColdChange: changes.agree,
    discardColdChange: changes.discard,
  };
}

const detailsOf = ({ network, address, label, coins }: ColdDraft) => ({ network, address, label, coins });
