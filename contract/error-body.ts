import { z } from 'zod';
import { errorCodes, factorWays, type ErrorBody as Shape } from './errors.ts';

/** `ErrorBody` as the API reference tells it. */
export const ErrorBody = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  userid: z.string().optional(),
  ways: z.array(z.enum(factorWays)).optional(),
}) satisfies z.ZodType<Shape>;
