import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postModules } from './plugin.ts';

/** A page as the site has them: it imports the posts, so Vite knows of them before it has read them. */
const page = {
  name: 'page',
  resolveId: (id: string) => (id === '/page.js' ? id : null),
  load: (id: string) =>
    id === '/page.js' ? "import 'virtual:posts/cards'; import 'virtual:posts/bodies';" : null,
};

let vite: ViteDevServer;
beforeAll(async () => {
  vite = await createServer({
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, watch: null, preTransformRequests: false },
    optimizeDeps: { noDiscovery: true },
    plugins: [postModules(), page],
  });
});
afterAll(() => vite.close());

it.each(['cards', 'bodies'])('npm run dev reads the %s of the posts for a page', async (name) => {
  const { client } = vite.environments;
  await client.transformRequest('/page.js');
  const read = await client.transformRequest(`virtual:posts/${name}`);
  expect(read?.code).toContain('how-to-check-your-balance');
});
