import type { Config } from '@react-router/dev/config';
import { publicPaths } from '@tallystick/contract/site';

/** Public pages are HTML at build time; every other address is drawn in the browser from `__spa-fallback.html`. */
export default {
  ssr: false,
  prerender: [...publicPaths],
} satisfies Config;
