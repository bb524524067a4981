import type { Plugin } from 'vite';
import { postFiles, readPosts } from './posts.ts';

/**
 * Gives the pages what they need of the posts: `virtual:posts/cards` to list them, `virtual:posts/bodies` to read them.
 * Two modules, so that a page with three cards does not carry three texts.
 */
export function postModules(): Plugin {
  const modules: Record<string, () => unknown> = {
    'virtual:posts/cards': () => readPosts().map(({ body: _, ...card }) => card),
    'virtual:posts/bodies': () => Object.fromEntries(readPosts().map(({ slug, body }) => [slug, body])),
  };
  return {
    name: 'post-modules',
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load(id) {
      const value = id.startsWith('\0') ? modules[id.slice(1)] : undefined;
      if (!value) return null;
      // File by file: in development Vite takes what is watched for something imported, and a folder cannot be.
      for (const file of postFiles()) this.addWatchFile(file);
      return `export default ${JSON.stringify(value())}`;
    },
  };
}
