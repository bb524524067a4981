import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { chunksByPage } from './chunks.ts';
import { postModules } from './posts/plugin.ts';
import { sampleRecordModule } from './sample-record/plugin.ts';
import { storiesPage } from './stories/plugin.ts';

/**
 * Sonner writes a <style> element when it is loaded, which a Content-Security-Policy without inline styles refuses.
 * Its styles come from the stylesheet it also ships, so the insertion is taken out.
 */
function sonnerWithoutInlineStyle(): Plugin {
  return {
    name: 'sonner-without-inline-style',
    transform(code, id) {
      if (!id.includes('/sonner/dist/index')) return null;
      const inserts = /^__insertCSS\(.*\);?$/m;
      if (!inserts.test(code)) throw new Error('sonner no longer inserts its styles this way: look again');
      return code.replace(inserts, '');
    },
  };
}

export default defineConfig({
  plugins: [
    tailwindcss(),
    reactRouter(),
    postModules(),
    sampleRecordModule(),
    storiesPage(),
    sonnerWithoutInlineStyle(),
  ],
  build: { assetsInlineLimit: 0 },
  // In development a page reads what pages are made of, and from its own address alone: beside it in the checkout lie the
  // data, its secret and its mail.
  // What fails in the browser is told in the terminal.
  server: {
    fs: { allow: ['.', '../contract', '../content', '../node_modules'] },
    cors: false,
    forwardConsole: true,
  },
  // In development all packages are prepared before the first page: one that is met later reloads the page.
  optimizeDeps: { entries: ['app/**/*.tsx', 'stories/*.tsx'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Of two thousand icons a few dozen are used; the others need not even be read.
          experimental: { lazyBarrel: true },
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                { name: 'schemas', test: /node_modules\/zod\// },
                { name: 'forms', test: /node_modules\/(@hookform|react-hook-form)\// },
                ...chunksByPage,
              ],
            },
          },
        },
      },
    },
  },
});
