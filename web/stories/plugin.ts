import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** React Router's own runtime for edits, which it writes into the pages it draws itself. */
const runtime = '<script type="module">import "virtual:react-router/inject-hmr-runtime";</script>';

/** `/dev/ui` of `npm run dev`. The site's build knows nothing of it: `vite.config.ts` beside this builds the page apart. */
export function storiesPage(): Plugin {
  return {
    name: 'stories-page',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use('/dev/ui', async (_request, response) => {
        const page = await readFile(join(import.meta.dirname, 'index.html'), 'utf8');
        const drawn = await server.transformIndexHtml('/dev/ui', page.replace('<body>', `<body>${runtime}`));
        response.setHeader('content-type', 'text/html').end(drawn);
      });
    },
  };
}
