import type { Call } from '@tallystick/contract/call';
import type { Plugin } from 'vite';

const ours = /\/web\/app\/[^?]*\.tsx?$/;
const imports = /^import \{([^}]*)\} from '(@tallystick\/contract\/[^']+)';$/gm;
const bodies = /(?<![\w.])(?!document\b)(\w+)\.body\b/g;
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'path' in value && 'method' in value;
}

/** What a file needs of something that it imports, written out; undefined where it needs the module. */
function writtenOut(value: unknown, local: string, code: string): string | undefined {
  if (typeof value === 'bigint') return `${value}n`;
  if (isPlain(value)) return JSON.stringify(value);
  if (!isCall(value) || new RegExp(`\\b${local}\\.body\\b`).test(code)) return undefined;
  return JSON.stringify({ method: value.method, path: value.path });
}

/**
 * In the browser a call is its address. Its schemas are the server's, but for the body that a form checks: a file reads
 * that from the call it imports, `signin.body`, by its imported name and no other: the build fails where it does not. So
 * most screens come without schemas, and without what makes them.
 */
export function callAddresses(): Plugin {
  return {
    name: 'call-addresses',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async transform(code, id) {
      if (!ours.test(id)) return null;
      let lean = code;
      const imported = new Set<string>();
      for (const [whole, list = '', module = ''] of code.matchAll(imports)) {
        const exports = (await import(module)) as Record<string, unknown>;
        const names = list.split(',').map((name) => name.trim());
        const values = names.filter((name) => name && !name.startsWith('type '));
        const consts: string[] = [];
        const kept = values.filter((entry) => {
          const [name = '', local = name] = entry.split(' as ');
          imported.add(local);
          const text = writtenOut(exports[name], local, code);
          if (text !== undefined) consts.push(`const ${local} = ${text};`);
          return text === undefined;
        });
        const rest = kept.length > 0 ? `import { ${kept.join(', ')} } from '${module}';` : '';
        lean = lean.replace(whole, () => `${rest} ${consts.join(' ')}`);
      }
      for (const [read, local = ''] of code.matchAll(bodies)) {
        if (!imported.has(local)) this.error(`${id} reads ${read}: name the call as it is imported`);
      }
      return { code: lean, map: null };
    },
  };
}
