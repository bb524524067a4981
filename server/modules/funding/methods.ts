import { type Network, networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import { addressRefusal } from '../../platform/address.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { createProposals } from '../../platform/second-operator.ts';
import {
  allMethods,
  decideChange,
  depositAddresses,
  insertChange,
  insertMethod,
  lockChange,
  lockMethod,
  type NewMethod,
  setAddress,
  switchMethod,
  waitingChanges,
} from './method-store.ts';

const noSuchMethod = () => new AppError('not_found', 'There is no such payment method.');

function refuseAddress(network: Network | null, address: string): void {
  const refusal = network && addressRefusal(network, address);
  if (refusal) throw new AppError('address_wrong', refusal);
}

/**
 * The ways in. The address that investors send to is the most tempting thing to change here: every new one waits for
 * a second operator.
 */
export function createMethods({ db, clock }: { db: Db; clock: Clock }) {
  async function addMethod(tx: Tx, method: NewMethod, actor: Actor, now: Date): Promise<string> {
    const methodId = await insertMethod(tx, method, now);
    if (!methodId) {
      throw new AppError('name_taken', `There is a way in called ${method.paymentname} already.`);
    }
    const { paymentname, paymentaddress, network } = method;
    const details = { paymentname, paymentaddress, network };
    await writeAudit(tx, { actor, action: 'payment-method.added', subjectId: methodId, details }, now);
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
      const { paymentaddress: to, askedBy } = change;
      const { id: subjectId, paymentname, paymentaddress: from, coin, active, agreed } = method;
      if (!decision.agreed) {
        const details = { paymentname, to, askedBy };
        return { action: 'payment-address.dropped', subjectId, details };
      }
      const network = networkNameOf(coin);
      await setAddress(tx, subjectId, { paymentaddress: to, network, active: active || !agreed });
      const details = { paymentname, from, to, askedBy };
      return { action: 'payment-address.agreed', subjectId, details };
    },
  });

  const propose = (
    tx: Tx,
    methodId: string,
    details: { paymentname: string; from: string | null; to: string },
    actor: Actor,
  ) =>
    changes.propose(
      tx,
      { methodId, paymentaddress: details.to },
      { actor, action: 'payment-address.asked', subjectId: methodId, details },
    );

  return {
    allPaymentMethods: () => allMethods(db),

    /** Nothing may be paid out to these. */
    depositAddresses,
    waitingAddresses: () => waitingChanges(db),

    /** What comes with the installation; an operator's own are proposed. */
    async addPaymentMethod(input: { method: Omit<NewMethod, 'agreed'>; actor: Actor }) {
      return inTransaction(db, async (tx) => ({
        methodId: await addMethod(tx, { ...input.method, agreed: true }, input.actor, clock.now()),
      }));
    },

    async proposePaymentMethod(input: {
      method: { paymentname: string; network: Network; paymentaddress: string };
      actor: Actor;
    }) {
      const { method, actor } = input;
      const { paymentname, network, paymentaddress } = method;
      refuseAddress(network, paymentaddress);
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const { name, coin } = networks[network];
        const shown = { paymentname, paymentaddress, coin: coin.id, network: name };
        const methodId = await addMethod(tx, { ...shown, sample: false, agreed: false }, actor, now);
        await propose(tx, methodId, { paymentname, from: null, to: paymentaddress }, actor);
        return { methodId };
      });
    },

    async proposeAddress(input: { methodId: string; paymentaddress: string; actor: Actor }): Promise<void> {
      const { methodId, paymentaddress, actor } = input;
      await inTransaction(db, async (tx) => {
        const method = await lockMethod(tx, methodId);
        if (!method) throw noSuchMethod();
        refuseAddress(networkOf(method.coin), paymentaddress);
        if (method.agreed && method.paymentaddress === paymentaddress) {
          throw new AppError('already_decided', 'This is the address already.');
        }
        const { paymentname, paymentaddress: from } = method;
        await propose(tx, methodId, { paymentname, from, to: paymentaddress }, actor);
      });
    },

    agreeAddress: changes.agree,
    discardAddress: changes.discard,

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
        const action = active ? 'payment-method.switched-on' : 'payment-method.switched-off';
        const details = { paymentname: method.paymentname };
        await writeAudit(tx, { actor, action, subjectId: methodId, details }, clock.now());
      });
    },
  };
}
