import type { Plugin } from 'vite';

/**
 * Sonner writes a <style> element when it is loaded, which a Content-Security-Policy without inline styles refuses.
 * Its styles come from the stylesheet it also ships, so the insertion is taken out.
 */
export function sonnerWithoutInlineStyle(): Plugin {
  return {
    name: 'sonner-without-inline-style',
    transform(code, id) {
      if (!id.includes('/sonner/dist/index')) return null;
      const inserts = /^__insertCSS\(.*\);?$/m;
      if (!inserts.test(code)) throw new Error('sonner no longer inserts its styles this way: look again');
      return code.replace(inserts, '');
    },
  };
}
