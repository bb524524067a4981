import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Brand = z.object({
  /** True until the people who run the site have put in their own values. */
  sample: z.boolean(),
  name: z.string(),
  address: z.string(),
  supportEmail: z.string(),
});
export type Brand = z.infer<typeof Brand>;

/** What is said about the company lives in `content/`; the web app reads the same file when it is built. */
export function readBrand(): Brand {
  return Brand.parse(JSON.parse(readFileSync(new URL('../../content/brand.json', import.meta.url), 'utf8')));
}
