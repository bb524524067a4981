import { z } from 'zod';

/** Tables show five rows a page. */
export const pageSize = 5;

/** The database cannot hold the character NUL, and nobody types it. */
export const PlainText = z
  .string()
  .refine((text) => !text.includes('\0'), 'Use letters, digits and punctuation only.');

/** With any of its fields a list call answers one page; with none it answers everything, as specified. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  search: PlainText.max(100).optional(),
});

export const pageAnswer = {
  page: z.number().int().optional(),
  pages: z.number().int().optional(),
  total: z.number().int().optional(),
};

/** An empty list still has one page. */
export function pagesOf(total: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}
