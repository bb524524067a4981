import path from 'node:path';
import { isFileLoadingAllowed, resolveConfig } from 'vite';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const web = path.join(root, 'web');

it('npm run dev hands out what pages are made of, not the data beside it', async () => {
  const config = await resolveConfig({ root: web, configFile: path.join(web, 'vite.config.ts') }, 'serve');
  const isServed = (file: string) => isFileLoadingAllowed(config, path.join(root, file));
  const pages = ['web/app/root.tsx', 'web/stories/main.tsx'];
  const served = [...pages, 'contract/money.ts', 'content/brand.json', 'verify/chain.ts'];
  expect(served.filter((file) => !isServed(file))).toEqual([]);
  const kept = [
    'data/secret',
    'data/postgres-password',
    'data/inbox/1.json',
    'server/config/secrets.ts',
    '.env',
  ];
  expect(kept.filter(isServed)).toEqual([]);
  // A page of another address, even one of this machine, reads nothing.
  expect(config.server.cors).toBe(false);
});
