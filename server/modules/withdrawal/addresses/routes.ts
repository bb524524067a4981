import * as calls from '@tallystick/contract/addresses';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { identityOf } from '../../../platform/http/identity.ts';
import { clientOf, serve } from '../../../platform/http/serve.ts';
import type { Withdrawals } from '../service.ts';
import type { ListedAddress } from './address-store.ts';
import type { Protection } from './rules.ts';

const addressToWire = (row: ListedAddress, now: Date): calls.SavedAddress => ({
  _id: row.id,
  label: row.label,
  network: row.network,
  address: row.address,
  tag: row.tag === null ? null : String(row.tag),
  savedat: row.createdAt.toISOString(),
  usablefrom: row.usableFrom > now ? row.usableFrom.toISOString() : null,
  lastpaidat: row.lastPaidAt?.toISOString() ?? null,
});

const protectionToWire = (protection: Protection | null): calls.AddressProtection => ({
  state: protection ? (protection.offFrom ? 'ending' : 'on') : 'off',
  since: protection?.since.toISOString() ?? null,
  offfrom: protection?.offFrom?.toISOString() ?? null,
});

const askedBy = (request: FastifyRequest) => ({ identity: identityOf(request), client: clientOf(request) });

/** Whoever reads the letter: nobody has to sign in to stop a thief. */
export function addressPublicRoutes(app: FastifyInstance, withdrawal: Withdrawals): void {
  serve(app, 'public', calls.stopchange, async ({ body, request }) => ({
    message: await withdrawal.stopChange({ ...body, client: clientOf(request) }),
  }));
}

export function addressRoutes(app: FastifyInstance, withdrawal: Withdrawals): void {
  serve(app, 'investor', calls.savedaddresses, async ({ request }) => {
    const { saved, protection, now } = await withdrawal.savedAddresses(identityOf(request));
    return {
      savedaddress: saved.map((row) => addressToWire(row, now)),
      protection: protectionToWire(protection),
    };
  });

  serve(app, 'investor', calls.saveaddress, async ({ body, request }) => {
    const tag = body.tag === undefined ? null : BigInt(body.tag);
    const { now, ...saved } = await withdrawal.saveAddress({ ...askedBy(request), ...body, tag });
    return { savedaddress: addressToWire(saved, now) };
  });

  serve(app, 'investor', calls.nameaddress, async ({ params, body, request }) => {
    const naming = { addressId: params.addressid, label: body.label };
    const { now, ...named } = await withdrawal.nameAddress({ ...askedBy(request), ...naming });
    return { savedaddress: addressToWire(named, now) };
  });

  serve(app, 'investor', calls.removeaddress, async ({ params, request }) => {
    await withdrawal.removeAddress({ ...askedBy(request), addressId: params.addressid });
    return { message: 'The address was removed.' };
  });

  serve(app, 'investor', calls.protectaddresses, async ({ request }) => ({
    protection: protectionToWire(await withdrawal.protectAddresses(askedBy(request))),
  }));

  serve(app, 'investor', calls.unprotectaddresses, async ({ request }) => ({
    protection: protectionToWire(await withdrawal.unprotectAddresses(askedBy(request))),
  }));
}
