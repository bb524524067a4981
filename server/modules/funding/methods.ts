import type { Cents } from '@tallystick/contract/money';
import { type Network, networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import type { PaymentSource } from '@tallystick/contract/operator/methods';
import { addressRefusal } from '../../platform/address.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { createProposals } from '../../platform/second-operator.ts';
import type { Networks } from '../networks/service.ts';
import {
  type AddressChangeRow,
  allMethods,
  decideChange,
  depositAddressesAmong,
  insertChange,
  insertMethod,
  lockChange,
  lockMethod,
  type NewMethod,
  type PaymentMethodRow,
  setMethod,
  setWay,
  switchMethod,
  waitingChanges,
} from './method-store.ts';

/** After so many blocks a payment on its network is there to stay. */
const usualConfirmations = ({ coin }: { coin: string }): number => {
  const network = networkOf(coin);
  return network ? networks[network].confirmations : 1;
};

const noSuchMethod = () => new AppError('not_found', 'There is no such payment method.');

/** A change that waits, with what a second operator compares. */
export interface WaitingChange extends AddressChangeRow {
  /** Of a key: where it stands in its wallet. */
  path: string | null;
  firstAddresses: { path: string; address: string }[];
}

/** What a method would be paid to: an address, or a key whose addresses are given out. */
export interface WayIn {
  source: PaymentSource;
  paymentaddress: string;
  key: string | null;
}

type Told = Pick<PaymentMethodRow, 'id' | 'paymentname' | 'coin' | 'source' | 'paymentaddress' | 'active'>;

/** A way in that is agreed to, as the public log tells it. */
export async function tellMethod(tx: Tx, method: Told, now: Date): Promise<void> {
  const { id, paymentname, coin, source, paymentaddress, active } = method;
  const lines = [
    ['time', logTime(now)],
    ['method', id],
    ['side', 'in'],
    ['name', paymentname],
    ['network', networkOf(coin) ?? coin],
    ['source', source],
    ['address', paymentaddress || '-'],
    ['state', active ? 'on' : 'off'],
  ] as const;
  await writeLogEntry(tx, 'method/v1', lines, now);
}

/**
 * The ways in. Where investors send to is the most tempting thing to change here: every new address and every new key
 * waits for a second operator.
 */
export function createMethods({ db, clock, networks: chains }: { db: Db; clock: Clock; networks: Networks }) {
  function refuseWay(network: Network | null, { source, paymentaddress, key }: WayIn): void {
    if (!network) return;
    if (source === 'derived') {
      // Says itself what is wrong with a key.
      chains.previewKey({ network, key: key ?? '' });
      return;
    }
    if (source === 'tagged' && networks[network].family !== 'xrp') {
      throw new AppError('address_wrong', `${networks[network].name} knows no tags.`);
    }
    const refusal = addressRefusal(network, paymentaddress);
    if (refusal) throw new AppError('address_wrong', refusal);
  }

  async function addMethod(tx: Tx, method: NewMethod, actor: Actor, now: Date): Promise<string> {
    const methodId = await insertMethod(tx, method, now);
    if (!methodId) {
      throw new AppError('name_taken', `There is a way in called ${method.paymentname} already.`);
    }
    const { paymentname, paymentaddress, network } = method;
    const details = { paymentname, paymentaddress, network };
    await writeAudit(tx, { actor, action: 'payment-method.added', subjectId: methodId, details }, now);
    const told = { ...method, id: methodId, source: 'fixed', active: true } as const;
    if (method.agreed) await tellMethod(tx, told, now);
    return methodId;
  }

  const changes = createProposals({
    db,
    clock,
    unknown: 'There is no such change.',
    decided: () => 'This change was decided',
    taken: 'Another address of this method waits for a second operator.',
    insert: insertChange,
    lock: lockChange,
    /** Requests that were made keep the address their investor was shown. */
    async decide(tx, change, decision) {
      const method = await lockMethod(tx, change.methodId);
      if (!method) throw noSuchMethod();
      await decideChange(tx, change.id, decision);
      const { source, key, paymentaddress, askedBy } = change;
      const { id: subjectId, paymentname, paymentaddress: from, coin, active, agreed } = method;
      const to = key ?? paymentaddress;
      if (!decision.agreed) {
        const details = { paymentname, to, askedBy };
        return { action: 'payment-address.dropped', subjectId, details };
      }
      const network = networkOf(coin);
      const use = { methodId: subjectId, network, key, oldKeyId: method.keyId, now: decision.now };
      const keyId = await chains.useKey(tx, use);
      const isOwn =
        source !== 'derived' &&
        network !== null &&
        !(await chains.watchAddress(tx, { network, address: paymentaddress }));
      if (isOwn) throw new AppError('address_wrong', 'This is one of our own cold addresses. Use another.');
      const way = { source, paymentaddress, active: active || !agreed };
      await setWay(tx, subjectId, { ...way, keyId, network: networkNameOf(coin) });
      await tellMethod(tx, { ...method, ...way }, decision.now);
      const details = { paymentname, from, to, askedBy };
      return { action: 'payment-address.agreed', subjectId, details };
    },
  });

  const propose = (
    tx: Tx,
    methodId: string,
    way: WayIn,
    { paymentname, from }: { paymentname: string; from: string | null },
    actor: Actor,
  ) =>
    changes.propose(
      tx,
      { methodId, ...way },
      {
        actor,
        action: 'payment-address.asked',
        subjectId: methodId,
        details: { paymentname, from, to: way.key ?? way.paymentaddress },
      },
    );

  return {
    allPaymentMethods: () => allMethods(db),

    /** Nothing may be paid out to these, of the given ones. */
    async depositAddresses(tx: Tx, addresses: string[]): Promise<string[]> {
      return [...(await depositAddressesAmong(tx, addresses)), ...(await chains.ownAmong(tx, addresses))];
    },

    /** What waits for a second operator; a key with its first addresses, to be compared with what its wallet shows. */
    async waitingAddresses(): Promise<WaitingChange[]> {
      const [waiting, methods] = await Promise.all([waitingChanges(db), allMethods(db)]);
      const coins = new Map(methods.map(({ id, coin }) => [id, coin]));
      return waiting.map((change) => {
        const network = networkOf(coins.get(change.methodId) ?? '');
        const { key } = change;
        const preview = network && key ? chains.previewKey({ network, key }) : null;
        return { ...change, path: preview?.path ?? null, firstAddresses: preview?.addresses ?? [] };
      });
    },

    /** What comes with the installation; an operator's own are proposed. */
    async addPaymentMethod(input: {
      method: Pick<NewMethod, 'paymentname' | 'paymentaddress' | 'network' | 'coin' | 'sample'>;
      actor: Actor;
    }) {
      return inTransaction(db, async (tx) => ({
        methodId: await addMethod(tx, { ...input.method, agreed: true }, input.actor, clock.now()),
      }));
    },

    async proposePaymentMethod(input: {
      method: { paymentname: string; network: Network } & WayIn;
      actor: Actor;
    }) {
      const { method, actor } = input;
      const { paymentname, network, ...way } = method;
      refuseWay(network, way);
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const { name, coin } = networks[network];
        const { paymentaddress } = way;
        const shown = { paymentname, paymentaddress, coin: coin.id, network: name };
        const methodId = await addMethod(tx, { ...shown, sample: false, agreed: false }, actor, now);
        await propose(tx, methodId, way, { paymentname, from: null }, actor);
        return { methodId };
      });
    },

    async proposeAddress({ methodId, actor, ...way }: WayIn & { methodId: string; actor: Actor }) {
      await inTransaction(db, async (tx) => {
        const method = await lockMethod(tx, methodId);
        if (!method) throw noSuchMethod();
        refuseWay(networkOf(method.coin), way);
        const isSame = method.source === way.source && method.paymentaddress === way.paymentaddress;
        if (method.agreed && isSame && way.key === null) {
          throw new AppError('already_decided', 'This is the address already.');
        }
        const { paymentname, paymentaddress: from } = method;
        await propose(tx, methodId, way, { paymentname, from }, actor);
      });
    },

    agreeAddress: changes.agree,
    discardAddress: changes.discard,

    /**
     * What is credited before it is there to stay can be taken back by its sender: nobody alone makes that shorter than
     * its network usually needs. Where fewer are wanted, the server is started with them.
     */
    async setPaymentMethod(input: {
      methodId: string;
      confirmations: number;
      dustCents: Cents;
      actor: Actor;
    }): Promise<void> {
      const { methodId, confirmations, dustCents, actor } = input;
      await inTransaction(db, async (tx) => {
        const method = await lockMethod(tx, methodId);
        if (!method) throw noSuchMethod();
        const least = Math.min(method.confirmations ?? Infinity, usualConfirmations(method));
        if (confirmations < least) {
          throw new AppError('outside_range', `Fewer than ${least} are not for one operator to say.`);
        }
        await setMethod(tx, methodId, { confirmations, dustCents });
        const details = {
          paymentname: method.paymentname,
          from: { confirmations: method.confirmations, dustCents: String(method.dustCents) },
          to: { confirmations, dustCents: String(dustCents) },
        };
        const entry = { actor, action: 'payment-method.set', subjectId: methodId, details };
        await writeAudit(tx, entry, clock.now());
      });
    },

    async switchPaymentMethod(input: { methodId: string; active: boolean; actor: Actor }): Promise<void> {
      const { methodId, active, actor } = input;
      await inTransaction(db, async (tx) => {
        const method = await lockMethod(tx, methodId);
        if (!method) throw noSuchMethod();
        if (method.active === active) {
          throw new AppError('already_decided', `This method is ${active ? 'on' : 'off'} already.`);
        }
        if (active && !method.agreed) {
          throw new AppError('second_operator_needed', 'Another operator has to agree to its address first.');
        }
        await switchMethod(tx, methodId, active);
        const now = clock.now();
        await tellMethod(tx, { ...method, active }, now);
        const action = active ? 'payment-method.switched-on' : 'payment-method.switched-off';
        const details = { paymentname: method.paymentname };
        await writeAudit(tx, { actor, action, subjectId: methodId, details }, now);
      });
    },
  };
}
