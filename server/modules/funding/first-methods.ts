import { type Network, networkOf, networks } from '@tallystick/contract/networks';
import { writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import type { Networks } from '../networks/service.ts';
import {
  allMethods,
  changedMethods,
  decideChange,
  insertChange,
  insertMethod,
  type PaymentMethodRow,
  setMethod,
  setWay,
  waitingChanges,
} from './method-store.ts';
import { tellMethod } from './methods.ts';

/** What the environment says of a network's way in. */
interface Installed {
  network: Network;
  payTo: string | null;
  confirmations: number | null;
}

const actor = { kind: 'system' } as const;
/** Whoever writes the environment has the server; two names, so that the database sees two. */
const askedBy = 'environment';
const agreedBy = 'installation';

/** The ways in that the environment names count until an operator has changed anything about them. */
export function createFirstMethods({
  db,
  clock,
  networks: chains,
}: {
  db: Db;
  clock: Clock;
  networks: Networks;
}) {
  async function make(tx: Tx, network: Network, now: Date): Promise<PaymentMethodRow | null> {
    const { name, coin } = networks[network];
    const shown = { paymentname: coin.name, paymentaddress: '', network: name, coin: coin.id };
    const id = await insertMethod(tx, { ...shown, sample: false, agreed: true }, now);
    return (await allMethods(tx)).find((method) => method.id === id) ?? null;
  }

  async function setPayTo(tx: Tx, network: Network, method: PaymentMethodRow, payTo: string) {
    const { id, paymentname, keyId: oldKeyId } = method;
    const now = clock.now();
    const isKey = networks[network].family !== 'xrp';
    const way = isKey
      ? ({ source: 'derived', paymentaddress: '', key: payTo } as const)
      : ({ source: 'tagged', paymentaddress: payTo, key: null } as const);
    await insertChange(tx, { methodId: id, ...way }, { askedBy, now });
    const change = (await waitingChanges(tx)).find(({ methodId }) => methodId === id);
    await decideChange(tx, change?.id ?? '', { agreed: true, by: agreedBy, now });
    const keyId = await chains.useKey(tx, { methodId: id, network, key: way.key, oldKeyId, now });
    if (!isKey) await chains.watchAddress(tx, { network, address: payTo });
    const { source, paymentaddress } = way;
    await setWay(tx, id, { source, paymentaddress, keyId, network: networks[network].name, active: true });
    await tellMethod(tx, { ...method, source, paymentaddress, active: true }, now);
    const details = { paymentname, to: payTo };
    await writeAudit(tx, { actor, action: 'payment-address.installed', subjectId: id, details }, now);
  }

  async function install(tx: Tx, { network, payTo, confirmations }: Installed): Promise<void> {
    const now = clock.now();
    const known = (await allMethods(tx)).find(({ coin }) => networkOf(coin) === network);
    const method = known ?? (payTo === null ? null : await make(tx, network, now));
    if (!method) return;
    const isUntouched = !(await changedMethods(tx)).has(method.id) && (method.sample || !known);
    if (payTo !== null && isUntouched) await setPayTo(tx, network, method, payTo);
    if (confirmations === null || method.confirmations !== null) return;
    await setMethod(tx, method.id, { confirmations, dustCents: method.dustCents });
    const details = { paymentname: method.paymentname, confirmations };
    await writeAudit(tx, { actor, action: 'payment-method.set', subjectId: method.id, details }, now);
  }

  /** What was agreed to before its network was read is looked for from now on. */
  async function watchAgreed(tx: Tx): Promise<void> {
    for (const { coin, paymentaddress: address, sample, agreed } of await allMethods(tx)) {
      const network = networkOf(coin);
      if (network && agreed && !sample && address && chains.isWatched(network)) {
        await chains.watchAddress(tx, { network, address });
      }
    }
  }

  return {
    async installMethods(installed: Installed[]): Promise<void> {
      for (const each of installed) {
        await inTransaction(db, async (tx) => {
          await lockNames(tx, ['installing payment methods']);
          await install(tx, each);
        });
      }
      await inTransaction(db, watchAgreed);
    },
  };
}
