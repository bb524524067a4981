import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
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

/**
 * The pieces of the pages to read that have no form. What forms need, schemas above all, and what only the signed-in
 * areas use stays out.
 */
const onPagesToRead =
  /node_modules\/(lucide-react|@tanstack)\/|contract\/(site|call|networks|errors|money)\.ts|app\/(public\/(?!auth-|code-|link-form|resend-code|success-)[a-z-]+\.tsx?|ui\/[a-z]+\/(accordion|arrow-link|brand-mark|button|hydrated|notches|notice|seam|spinner|stick|tabs)|domain\/([a-z]+\/)?(brand-link|coin-mark|demo-ribbon|error-scene|grouped|plan-|price-|risk-line|sample-chip)|brand|log|storage|theme)/;
/** The pieces of the pages for signing in. */
const onSignInPages =
  /contract\/(users|list)\.ts|app\/(public\/(auth-|code-|link-form|resend-code|success-)|ui\/[a-z]+\/(code-|field|success-mark)|domain\/([a-z]+\/)?(form-failure|sign-out))/;
/** Modals are loaded when they are opened, and bring libraries along. */
const inSignedInAreas = /app\/(ui\/[a-z]+\/(?!modal|choice-field|qr)|domain\/)/;

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
  // In development all packages are prepared before the first page: one that is met later reloads the page.
  optimizeDeps: { entries: ['app/**/*.tsx', 'stories/*.tsx'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Of two thousand icons a few dozen are used; the others need not even be read.
          experimental: { lazyBarrel: true },
          output: {
            // Left alone, every shared icon becomes a request of its own.
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                { name: 'schemas', test: /node_modules\/zod\// },
                { name: 'forms', test: /node_modules\/(@hookform|react-hook-form)\// },
                { name: 'shared', test: onPagesToRead, minShareCount: 2 },
                { name: 'signing-in', test: onSignInPages, minShareCount: 2 },
                { name: 'signed-in', test: inSignedInAreas, minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
  },
});
