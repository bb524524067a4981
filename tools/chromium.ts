import { readFileSync } from 'node:fs';

/** The Chromium that `tools/bootstrap.mjs --browser` found; the variable wins, for one run with another browser. */
export function chromiumPath(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  try {
    return readFileSync(new URL('../node_modules/.chromium-path', import.meta.url), 'utf8').trim();
  } catch {
    throw new Error('No browser is known yet: run `node tools/bootstrap.mjs --browser` once.');
  }
}
