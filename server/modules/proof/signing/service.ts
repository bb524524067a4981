import { type Network, networkOf } from '@tallystick/contract/networks';
import { AppError } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import { checkSignedText, spelledAddress } from '../../../platform/chains/check-signed-text.ts';
import type { Clock } from '../../../platform/clock.ts';
import { writeLogEntry } from '../../../platform/log/outbox.ts';
import { type Db, inTransaction } from '../../../platform/postgres/db.ts';
import { lockNames } from '../../../platform/postgres/locks.ts';
import { nameOf } from '../../../platform/second-operator.ts';
import type { Funding } from '../../funding/service.ts';
import type { Networks } from '../../networks/service.ts';
import { linesOf, messageOf, type OwnAddress } from './rules.ts';
import { insertSignature, isSigned, type SignatureRow, signaturesUnder } from './store.ts';

interface SigningNeeds {
  db: Db;
  clock: Clock;
  /** The name of the public log. */
  origin: string;
  funding: Funding;
  networks: Networks;
}

/** What an address of ours is to sign, and what it has signed. */
export interface Signing {
  message: string;
  signed: SignatureRow | null;
}

/** That an address is ours, said by its own key. No private key comes here: wallets sign, elsewhere. */
export function createSigning({ db, clock, origin, funding, networks }: SigningNeeds) {
  const spelled = (network: Network, address: string): OwnAddress => ({
    network,
    address: spelledAddress(network, address),
  });

  /** What everybody may see as ours, under the name that operators know it by. */
  async function ourAddresses(): Promise<(OwnAddress & { name: string })[]> {
    const [methods, cold] = await Promise.all([funding.allPaymentMethods(), networks.coldAddresses()]);
    const shared = methods.flatMap(({ coin, source, agreed, paymentaddress, paymentname: name }) => {
      const network = networkOf(coin);
      if (!network || !agreed || source === 'derived' || !paymentaddress) return [];
      return [{ ...spelled(network, paymentaddress), name }];
    });
    return [
      ...shared,
      ...cold.map(({ network, address, label: name }) => ({ ...spelled(network, address), name })),
    ];
  }

  return {
    /** For addresses that are shown as ours. */
    async signings(): Promise<(network: Network, address: string) => Signing> {
      const rows = await signaturesUnder(db, origin);
      const known = new Map(rows.map((row) => [`${row.network} ${row.address}`, row]));
      return (network, address) => {
        const own = spelled(network, address);
        const signed = known.get(`${own.network} ${own.address}`) ?? null;
        return { message: messageOf(origin, own), signed };
      };
    },

    /**
     * Keeps a signature that holds. The signature proves itself, so one operator is enough. A further one for the same
     * message would prove nothing more and changes nothing.
     */
    async signAddress(input: {
      network: Network;
      address: string;
      signature: string;
      publicKey: string | null;
      actor: Actor;
    }): Promise<void> {
      const { actor } = input;
      const own = spelled(input.network, input.address);
      const ours = (await ourAddresses()).find(
        ({ network, address }) => network === own.network && address === own.address,
      );
      if (!ours) throw new AppError('not_found', 'This is not an address that the site shows as ours.');
      const message = messageOf(origin, own);
      const checked = checkSignedText(own.network, {
        address: own.address,
        text: message,
        signature: unspaced(input.signature),
        publicKey: input.publicKey && unspaced(input.publicKey),
      });
      if ('wrong' in checked) throw new AppError('signature_wrong', checked.wrong);
      const signed = { ...own, ...checked, origin, message };
      await inTransaction(db, async (tx) => {
        await lockNames(tx, ['address signatures']);
        if (await isSigned(tx, origin, own)) return;
        const now = clock.now();
        const entryId = await writeLogEntry(tx, 'address/v1', linesOf(signed, now), now);
        await insertSignature(tx, { ...signed, enteredBy: nameOf(actor), enteredAt: now }, entryId);
        const details = { label: ours.name, network: own.network, to: own.address };
        await writeAudit(tx, { actor, action: 'payment-address.signed', details }, now);
      });
    },
  };
}

/** Mail programs and terminals break long lines; no signature has a space in it. */
const unspaced = (pasted: string): string => pasted.replace(/\s+/g, '');

export type AddressSigning = ReturnType<typeof createSigning>;
