import type { Config } from '@react-router/dev/config';
import { publicPaths, strayPath } from '@tallystick/contract/site';
import { readPosts } from './posts/posts.ts';

/** Public pages are HTML at build time; every other address is drawn in the browser from `__spa-fallback.html`. */
export default {
  ssr: false,
  // A server may be running on the last build: `publish.ts` puts the new one in its place.
  buildDirectory: 'build/next',
  prerender: [...publicPaths, strayPath, ...readPosts().map(({ slug }) => `/blog/${slug}`)],
} satisfies Config;
