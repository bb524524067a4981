import { dirname, resolve } from 'node:path';
import { siteMap } from '@tallystick/contract/site';
import { build, type Plugin } from 'vite';

const suffix = '?script';

/** One file that stands alone. What only the app uses of a module, React above all, is no part of it. */
export async function bundle(entry: string): Promise<{ code: string; files: string[] }> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        output: { format: 'iife' },
        treeshake: { moduleSideEffects: (id) => !id.includes('/node_modules/') },
      },
    },
  });
  const chunk = [built].flat().flatMap((one) => ('output' in one ? one.output : []))[0];
  if (chunk?.type !== 'chunk') throw new Error(`${entry} did not become one script`);
  return { code: chunk.code.trim(), files: chunk.moduleIds.filter((id) => !id.startsWith('\0')) };
}

/**
 * `import text from './head.ts?script'` is that file and what it imports as the text of one script, for a page to carry
 * inline. Only the renderer of pages needs it: what the app has taken over has run it already.
 */
export function nativeScripts(): Plugin {
  const bundled = new Set<string>();
  return {
    name: 'native-scripts',
    enforce: 'pre',
    resolveId(source, importer) {
      return importer && source.endsWith(suffix) ? resolve(dirname(importer), source) : null;
    },
    async load(id) {
      if (!id.endsWith(suffix)) return null;
      if (this.environment.name === 'client') return 'export default ""';
      const { code, files } = await bundle(id.slice(0, -suffix.length));
      for (const file of files) {
        bundled.add(file);
        this.addWatchFile(file);
      }
      return `export default ${JSON.stringify(code)}`;
    },
    // In development no page knows that it carries this file, so an edit loads them anew.
    hotUpdate({ file, server }) {
      if (this.environment.name !== 'client' && bundled.has(file)) server.ws.send({ type: 'full-reload' });
    },
  };
}

const folders = [...Object.values(siteMap.reading), 'notfound'].join('|');
const drawnAtBuild = new RegExp(`/app/(public/(${folders})/page|investor/frame/ahead)\\.tsx`);

/** Pages that are only read, and the frame ahead of the app, are drawn at build: of the app's own files they are no part. */
export function withoutDrawnAtBuild(): Plugin {
  return {
    name: 'without-drawn-at-build',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: (id) => (drawnAtBuild.test(id) && !id.includes('?') ? stub : null),
  };
}

const stub = 'export const meta = () => []; export default () => null;';
