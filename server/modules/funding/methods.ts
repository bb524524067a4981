import type { Network } from '@tallystick/contract/chain';
import { addressRefusal } from '../../platform/address.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { nameOf, refuseAgreement } from '../../platform/second-operator.ts';
import { claimsOf } from './decision-store.ts';
import {
  type AddressChangeRow,
  decideChange,
  insertChange,
  lockChange,
  setAddress,
  waitingChanges,
} from './method-store.ts';
import { coinOf, networkNameOf, networkOf } from './rules.ts';
import {
  activeMethods,
  allMethods,
  depositAddresses,
  insertMethod,
  lockMethod,
  type NewMethod,
  type PaymentMethodRow,
  switchMethod,
} from './store.ts';

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

  async function propose(
    tx: Tx,
    input: {
      methodId: string;
      paymentname: string;
      paymentaddress: string;
      actor: Actor;
      from: string | null;
    },
    now: Date,
  ): Promise<void> {
    const { methodId, paymentname, paymentaddress, actor, from } = input;
    const change = { methodId, paymentaddress, askedBy: nameOf(actor), now };
    if (!(await insertChange(tx, change))) {
      throw new AppError('already_decided', 'Another address of this method waits for a second operator.');
    }
    const details = { paymentname, from, to: paymentaddress };
    await writeAudit(tx, { actor, action: 'payment-address.asked', subjectId: methodId, details }, now);
  }

  /** Takes hold of a change that is still to be decided, and of its method. */
  async function takeWaiting(
    tx: Tx,
    changeId: string,
  ): Promise<{ change: AddressChangeRow; method: PaymentMethodRow }> {
    const change = await lockChange(tx, changeId);
    if (!change) throw new AppError('not_found', 'There is no such change.');
    if (change.decidedAt) {
      throw new AppError('already_decided', `This change was decided already, by ${change.decidedBy}.`);
    }
    const method = await lockMethod(tx, change.methodId);
    if (!method) throw noSuchMethod();
    return { change, method };
  }

  return {
    paymentMethods: () => activeMethods(db),
    allPaymentMethods: () => allMethods(db),

    /** Nothing may be paid out to these. */
    depositAddresses,
    /** Nothing was paid out with these either. */
    depositsPaidWith: claimsOf,
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
        const coin = coinOf(network);
        const shown = { paymentname, paymentaddress, coin, network: networkNameOf(coin) };
        const methodId = await addMethod(tx, { ...shown, sample: false, agreed: false }, actor, now);
        await propose(tx, { methodId, paymentname, paymentaddress, actor, from: null }, now);
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
        await propose(tx, { methodId, paymentname, paymentaddress, actor, from }, clock.now());
      });
    },

    /** Requests that were made keep the address their investor was shown. */
    async agreeAddress({ changeId, actor }: { changeId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const { change, method } = await takeWaiting(tx, changeId);
        await refuseAgreement(tx, change, actor);
        const now = clock.now();
        await decideChange(tx, changeId, { agreed: true, by: nameOf(actor), now });
        const { paymentaddress } = change;
        const network = networkNameOf(method.coin);
        await setAddress(tx, method.id, { paymentaddress, network, active: method.active || !method.agreed });
        const { paymentname, paymentaddress: from } = method;
        const details = { paymentname, from, to: paymentaddress, askedBy: change.askedBy };
        await writeAudit(tx, { actor, action: 'payment-address.agreed', subjectId: method.id, details }, now);
      });
    },

    async discardAddress({ changeId, actor }: { changeId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const { change, method } = await takeWaiting(tx, changeId);
        const now = clock.now();
        await decideChange(tx, changeId, { agreed: false, by: nameOf(actor), now });
        const { paymentname } = method;
        const details = { paymentname, to: change.paymentaddress, askedBy: change.askedBy };
        await writeAudit(
          tx,
          { actor, action: 'payment-address.dropped', subjectId: method.id, details },
          now,
        );
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
        const action = active ? 'payment-method.switched-on' : 'payment-method.switched-off';
        const details = { paymentname: method.paymentname };
        await writeAudit(tx, { actor, action, subjectId: methodId, details }, clock.now());
      });
    },
  };
}
