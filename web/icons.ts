import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ours = /\/web\/app\/[^?]*\.tsx?$/;
const imports = /^import \{([^}]*)\} from 'lucide-react';$/gm;
const lines = /^export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs';$/gm;

/** Which file each icon is in, by all of its names. */
function readNames(): Map<string, string> {
  const list = fileURLToPath(import.meta.resolve('lucide-react/icons/x')).replace(
    /icons\/x\.mjs$/,
    'lucide-react.mjs',
  );
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of readFileSync(list, 'utf8').matchAll(lines)) {
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  }
  return files;
}

/**
 * Icons are imported from one long list, behind which it cannot be seen who needs which: whatever two pages share would
 * travel with every page. So each is imported from its own file, and goes where it is needed (`chunks.ts`).
 */
export function ownIcons(): Plugin {
  let files: Map<string, string> | undefined;
  return {
    name: 'own-icons',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (!ours.test(id) || !code.includes("'lucide-react'")) return null;
      files ??= readNames();
      const known = files;
      const lean = code.replace(imports, (_whole, list: string) =>
        list
          .split(',')
          .map((entry) => entry.trim())
          .filter((entry) => entry && !entry.startsWith('type '))
          .map((entry) => {
            const [name = '', local = name] = entry.split(' as ');
            const file = known.get(name) ?? this.error(`${id}: lucide-react has no icon ${name}`);
            return `import ${local} from 'lucide-react/icons/${file}';`;
          })
          .join(' '),
      );
      return { code: lean, map: null };
    },
  };
}
