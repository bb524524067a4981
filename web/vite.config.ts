import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { callAddresses } from './call-addresses.ts';
import { chunksByPage } from './chunks.ts';
import { ownIcons } from './icons.ts';
import { nativeScripts, withoutDrawnAtBuild } from './native-scripts.ts';
import { postModules } from './posts/plugin.ts';
import { sampleRecordModule } from './sample-record/plugin.ts';
import { sonnerWithoutInlineStyle } from './sonner.ts';
import { storiesPage } from './stories/plugin.ts';

export default defineConfig({
  plugins: [
    tailwindcss(),
    nativeScripts(),
    withoutDrawnAtBuild(),
    callAddresses(),
    ownIcons(),
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
    fs: { allow: ['.', '../contract', '../content', '../verify', '../node_modules'] },
    cors: false,
    forwardConsole: true,
  },
  // In development all packages are prepared before the first page: one that is met later reloads the page. No plugin sees
  // what is prepared, so sonner is not.
  optimizeDeps: { entries: ['app/**/*.tsx', 'stories/*.tsx'], exclude: ['sonner'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Of two thousand icons a few dozen are used; the others need not even be read.
          experimental: { lazyBarrel: true },
          output: {
            codeSplitting: {
              groups: [
                // And what fetches a chunk when it is wanted: in any other chunk it would take that one along everywhere.
                {
                  name: 'framework',
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\/|vite\/preload-helper/,
                },
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
