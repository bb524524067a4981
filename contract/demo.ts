import { z } from 'zod';
import { defineCall } from './call.ts';

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
