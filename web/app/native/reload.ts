/** What draws the pages hears of an edit a moment after the browser does. */
const reloadAfterMs = 250;

/** `npm run dev` only: a page that is only read has no app that could change under it, so an edit loads it anew. */
for (const edited of ['vite:beforeUpdate', 'react-router:hmr']) {
  import.meta.hot?.on(edited, () => setTimeout(() => location.reload(), reloadAfterMs));
}

export {};
