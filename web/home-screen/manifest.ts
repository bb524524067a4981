import brand from '../../content/brand.json' with { type: 'json' };

/**
 * What a phone is told when the site is put on its home screen. Colours are the light ones, because a manifest has no others:
 * once a page is open, its own `theme-color` follows the theme.
 */
export const manifest = {
  // Of the app on the device: it must not change, or the next visit makes a second one of it.
  id: '/dashboard',
  name: brand.name,
  short_name: brand.name,
  description: brand.line,
  lang: 'en',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  theme_color: '#ffffff',
  background_color: '#ffffff',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
};
