import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { sonnerWithoutInlineStyle } from '../sonner.ts';

const web = join(import.meta.dirname, '..');

/** Built apart from the site, so that nothing of it is in the site's files; demo mode serves it under `/dev/ui`. */
export default defineConfig({
  root: web,
  base: '/dev/ui/',
  publicDir: false,
  plugins: [tailwindcss(), sonnerWithoutInlineStyle()],
  build: {
    outDir: join(web, 'build/stories'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // For older browsers light-dark() becomes what only the whole page can decide; here a page has both halves.
    target: 'esnext',
    rolldownOptions: { input: join(import.meta.dirname, 'index.html') },
  },
});
