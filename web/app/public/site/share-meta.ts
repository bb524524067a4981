import { placeholderOrigin } from '@tallystick/contract/site';
import { brand } from '../../brand.ts';

/**
 * The site's address: a placeholder in the built page, and in the browser what the server has put in its place, so
 * that React finds the same tags again and does not add its own.
 */
export function siteOrigin(): string {
  if (typeof document === 'undefined') return placeholderOrigin;
  return document.documentElement.dataset.origin ?? window.location.origin;
}

interface Shared {
  path: string;
  /** Whole, with the brand where it belongs. */
  title: string;
  description: string;
  type?: 'website' | 'article';
  /** Statements for search engines, true ones. */
  structured?: object[];
}

/** Everything that a page which is found and passed on says about itself. */
export function shareMeta({ path, title, description, type = 'website', structured = [] }: Shared) {
  const origin = siteOrigin();
  const address = origin + path;
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:site_name', content: brand.name },
    { property: 'og:type', content: type },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: address },
    { property: 'og:image', content: `${origin}/social-card.png` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: `${brand.name}: a tally stick, split in two` },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...structured.map((statement) => ({
      'script:ld+json': { '@context': 'https://schema.org', ...statement },
    })),
  ];
}

export function organization() {
  const origin = siteOrigin();
  return { '@type': 'Organization', name: brand.name, url: `${origin}/`, logo: `${origin}/favicon.svg` };
}
