import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foundPaths, placeholderOrigin } from '@tallystick/contract/site';
import { readPosts } from './posts/posts.ts';

/** Writes what search engines read beside the pages: which pages there are, and what is not for them. */
const root = join(import.meta.dirname, 'build/next/client');

const posts = readPosts().map(({ slug, date }) => ({ path: `/blog/${slug}`, date }));
const pages: { path: string; date?: string }[] = [...foundPaths.map((path) => ({ path })), ...posts];

const entries = pages.map(({ path, date }) => {
  const changed = date ? `<lastmod>${date}</lastmod>` : '';
  return `  <url><loc>${placeholderOrigin}${path}</loc>${changed}</url>`;
});

writeFileSync(
  join(root, 'sitemap.xml'),
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`,
);

writeFileSync(
  join(root, 'robots.txt'),
  `User-agent: *
Disallow: /api/
Disallow: /dev/

Sitemap: ${placeholderOrigin}/sitemap.xml
`,
);
