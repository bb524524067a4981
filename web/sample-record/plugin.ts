import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { checkSample } from './record.ts';

const file = join(import.meta.dirname, '../../content/sample-record.json');
const id = 'virtual:sample-record';

/** `virtual:sample-record` is the sample record of the landing page, checked when the site is built. */
export function sampleRecordModule(): Plugin {
  return {
    name: 'sample-record-module',
    resolveId: (asked) => (asked === id ? `\0${id}` : null),
    load(asked) {
      if (asked !== `\0${id}`) return null;
      this.addWatchFile(file);
      return `export default ${JSON.stringify(checkSample(JSON.parse(readFileSync(file, 'utf8'))))}`;
    },
  };
}
