import { toWire } from '@tallystick/contract/money';
import { networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import * as calls from '@tallystick/contract/operator/methods';
import { signaddress } from '@tallystick/contract/operator/signing';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../../platform/http/serve.ts';
import type { PaymentMethodRow, WayIn } from '../../funding/service.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';
import { signingToWire } from '../signing-wire.ts';

const wayOf = ({
  source,
  paymentaddress = '',
  key = null,
}: {
  source: WayIn['source'];
  paymentaddress?: string | undefined;
  key?: string | null | undefined;
}): WayIn => ({ source, paymentaddress, key });

const confirmationsOf = ({ coin, confirmations }: { coin: string; confirmations: number | null }): number => {
  const network = networkOf(coin);
  return confirmations ?? (network ? networks[network].confirmations : 1);
};

export function methodsRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  paymentMethodRoutes(app, needs);
  paymentSettingRoutes(app, needs);
  withdrawalMethodRoutes(app, needs);
}

function paymentMethodRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  const { funding, networks: chains, users, signing } = needs;
  serve(app, 'operator', calls.paymentmethods, async () => {
    const [methods, waiting, names, signingOf] = await Promise.all([
      funding.allPaymentMethods(),
      funding.waitingAddresses(),
      users.operatorNames(),
      signing.signings(),
    ]);
    const nameOf = (id: string) => names.get(id) ?? id;
    const keys = await chains.keys(methods.flatMap(({ keyId }) => keyId ?? []));
    const tagged = methods.filter(({ source }) => source === 'tagged');
    const tags = await chains.tagsGiven(tagged.map(({ paymentaddress }) => paymentaddress));
    const coins = new Map(methods.map(({ id, coin }) => [id, coin]));
    const proposed = new Map(
      waiting.map(({ id, methodId, source, paymentaddress, key, path, firstAddresses, askedBy, askedAt }) => [
        methodId,
        {
          changeid: id,
          paymentaddress,
          source,
          key,
          path,
          firstaddresses: firstAddresses,
          network: networkNameOf(coins.get(methodId) ?? ''),
          askedby: nameOf(askedBy),
          askedbyid: askedBy,
          askedat: askedAt.toISOString(),
        },
      ]),
    );
    return {
      paymentmethods: methods.map((method) => ({
        _id: method.id,
        paymentname: method.paymentname,
        paymentaddress: method.paymentaddress,
        network: method.network,
        coin: method.coin,
        source: method.source,
        path: keys.get(method.keyId ?? '')?.path ?? null,
        given: keys.get(method.keyId ?? '')?.nextReceiving ?? tags.get(method.paymentaddress) ?? 0,
        confirmations: confirmationsOf(method),
        dust: toWire(method.dustCents),
        sample: method.sample,
        active: method.active,
        agreed: method.agreed,
        signing: methodSigning(method, signingOf, nameOf),
        proposed: proposed.get(method.id) ?? null,
      })),
    };
  });

  serve(app, 'operator', calls.previewkey, async ({ body }) => chains.previewKey(body));

  serve(app, 'operator', calls.addpaymentmethod, async ({ body, request }) => {
    const { paymentname, network } = body;
    await funding.proposePaymentMethod({
      method: { paymentname, network, ...wayOf(body) },
      actor: actorOf(request),
    });
    return { message: 'The new way in waits for a second operator.' };
  });

  serve(app, 'operator', calls.proposeaddress, async ({ params, body, request }) => {
    await funding.proposeAddress({ methodId: params.id, ...wayOf(body), actor: actorOf(request) });
    const what = body.source === 'derived' ? 'key' : 'address';
    return { message: `The new ${what} waits for a second operator.` };
  });
}

function methodSigning(
  { coin, source, agreed, paymentaddress }: PaymentMethodRow,
  signingOf: Awaited<ReturnType<ConsoleParts['signing']['signings']>>,
  nameOf: (id: string) => string,
) {
  const network = networkOf(coin);
  if (!network || !agreed || source === 'derived' || !paymentaddress) return null;
  return signingToWire(signingOf(network, paymentaddress), nameOf);
}

function paymentSettingRoutes(app: FastifyInstance, { funding, signing }: ConsoleParts): void {
  serve(app, 'operator', signaddress, async ({ body, request }) => {
    const { network, address, signature, publickey: publicKey = null } = body;
    await signing.signAddress({ network, address, signature, publicKey, actor: actorOf(request) });
    return { message: 'The signature holds, and stands in the public log.' };
  });

  serve(app, 'operator', calls.setpaymentmethod, async ({ params, body, request }) => {
    const { confirmations, dust: dustCents } = body;
    const actor = actorOf(request);
    await funding.setPaymentMethod({ methodId: params.id, confirmations, dustCents, actor });
    return { message: 'The way in is set.' };
  });

  serve(app, 'operator', calls.switchpaymentmethod, async ({ params, body, request }) => {
    const { active } = body;
    await funding.switchPaymentMethod({ methodId: params.id, active, actor: actorOf(request) });
    return { message: active ? 'The way in is offered.' : 'The way in is offered no more.' };
  });
}

function withdrawalMethodRoutes(app: FastifyInstance, { withdrawal }: ConsoleParts): void {
  serve(app, 'operator', calls.withdrawalmethods, async () => ({
    withdrawalmethods: (await withdrawal.allWithdrawalMethods()).map(
      ({ id, methodname, network, active }) => ({ _id: id, methodname, network, active }),
    ),
  }));

  serve(app, 'operator', calls.addwithdrawalmethod, async ({ body, request }) => {
    await withdrawal.addWithdrawalMethod({ method: body, actor: actorOf(request) });
    return { message: 'The new way out is offered.' };
  });

  serve(app, 'operator', calls.switchwithdrawalmethod, async ({ params, body, request }) => {
    const { active } = body;
    await withdrawal.switchWithdrawalMethod({ methodId: params.id, active, actor: actorOf(request) });
    return { message: active ? 'The way out is offered.' : 'The way out is offered no more.' };
  });
}
