import { errorCodes } from '@tallystick/contract/errors';
import { z } from 'zod';
import type { JsonValue } from '../../../platform/postgres/schema.ts';

/**
 * What is known of a key that was used: the decision, in JSON, or where a movement bears the key what that is about, by its
 * transaction id. Before movements did, what was made was kept by its own id.
 */
export const StoredAnswer = z.union([
  z.object({
    refused: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      retryAfterSeconds: z.number().optional(),
      by: z.string().nullish(),
    }),
  }),
  z.object({ about: z.string() }),
  z.object({ made: z.string() }),
  z.object({ row: z.json() }),
]);

/** Rows hold cents and dates, which JSON does not know. */
export function toStored(value: unknown): JsonValue {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(toStored);
  const stored: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(value)) stored[key] = toStored(each);
  return stored;
}

export function fromStored(stored: unknown): unknown {
  return JSON.parse(JSON.stringify(stored), (_, value) => {
    if (typeof value?.$date === 'string') return new Date(value.$date);
    return typeof value?.$bigint === 'string' ? BigInt(value.$bigint) : value;
  });
}
