import { operatorsamplepayment, sendsamplepayment } from '@tallystick/contract/demo';
import type { FastifyInstance } from 'fastify';
import { identityOf, operatorOf } from '../platform/http/identity.ts';
import { serve } from '../platform/http/serve.ts';
import type { SampleChain } from './sample-chain.ts';

const sent = { message: 'A sample payment is on its way.' };

/** Whoever asked for a deposit pays it. Without a sample chain there is no such call. */
export function sampleInvestorRoutes(chain: SampleChain | null) {
  return async (app: FastifyInstance) => {
    if (!chain) return;
    serve(app, 'investor', sendsamplepayment, async ({ params, request }) => {
      const { userId } = identityOf(request);
      await chain.sendPayment({ requestId: params.id, userId, actor: { kind: 'investor', id: userId } });
      return sent;
    });
  };
}

/** An operator pays in an investor's stead. */
export function sampleOperatorRoutes(chain: SampleChain | null) {
  return async (app: FastifyInstance) => {
    if (!chain) return;
    serve(app, 'operator', operatorsamplepayment, async ({ params, request }) => {
      const { operatorId: id } = operatorOf(request);
      await chain.sendPayment({ requestId: params.id, userId: null, actor: { kind: 'operator', id } });
      return sent;
    });
  };
}
