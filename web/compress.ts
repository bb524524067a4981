import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Smaller answers fit in one packet either way. */
const sizeBytesMin = 1024;
const textExtensions = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml']);

const root = join(import.meta.dirname, 'build/next/client');

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length <= sizeBytesMin) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && textExtensions.has(extname(entry.name)),
);
// All at once: the compressing is done by Node's own threads, on as many cores as there are.
await Promise.all(files.map(({ parentPath, name }) => compress(join(parentPath, name))));
