import { z } from 'zod';
import { defineCall } from './call.ts';
import { idOr } from './id.ts';

/** Exists in demo mode alone; in production the route is not there. */
export const demoInvestor = defineCall('GET', '/api/demo/investor', {
  summary: 'The sign-in details of the sample investor (demo mode only)',
  answer: z.object({ email: z.string(), password: z.string() }),
});

export const demoOperators = defineCall('GET', '/api/demo/operators', {
  summary: 'The sign-in details of the sample operators, with a code that works now (demo mode only)',
  answer: z.object({
    operators: z.array(
      z.object({ name: z.string(), email: z.string(), password: z.string(), code: z.string() }),
    ),
  }),
});

const sample = {
  params: z.object({ id: idOr('This id is not valid.') }),
  answer: z.object({ message: z.string() }),
  refusals: ['not_found', 'already_decided', 'outside_range', 'prices_unavailable'],
} as const;

export const sendsamplepayment = defineCall('POST', '/api/demo/deposits/:id/samplepayment', {
  ...sample,
  summary:
    'Pay a deposit of one’s own with a sample payment, seen and confirmed on a sample chain (demo mode only)',
});

export const operatorsamplepayment = defineCall('POST', '/api/operator/deposits/:id/samplepayment', {
  ...sample,
  summary: 'The same for any investor’s deposit (demo mode only)',
});
