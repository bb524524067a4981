import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runNpm, say, seconds } from './run.mjs';

const sources = ['web', 'contract', 'verify', 'content', 'package-lock.json'];
const skippedFolders = new Set(['build', '.react-router', 'node_modules']);
const stampFile = (root) => path.join(root, 'web', 'build', '.sources');

export function webIsCurrent(root) {
  try {
    return fs.readFileSync(stampFile(root), 'utf8') === hashSources(root);
  } catch {
    return false;
  }
}

/** The stamp goes first and comes back last, with the hash from before: a failed, cut or overtaken build is repeated. */
export async function buildWeb(root) {
  const began = Date.now();
  say('building the web app.');
  const hash = hashSources(root);
  fs.rmSync(stampFile(root), { force: true });
  const result = await runNpm(root, ['run', 'build', '--workspace', 'web']);
  if (!result.ok) throw new Error(`${result.output}\n\nThe web app could not be built.`);
  fs.mkdirSync(path.dirname(stampFile(root)), { recursive: true });
  fs.writeFileSync(stampFile(root), hash);
  say(`web app built in ${seconds(began)}.`);
}

function hashSources(root) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => listFiles(root, source))) {
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root, place) {
  const full = path.join(root, place);
  if (!fs.existsSync(full)) return [];
  if (fs.statSync(full).isFile()) return [place];
  return fs
    .readdirSync(full, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = `${place}/${entry.name}`;
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : listFiles(root, child);
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [child] : [];
    });
}
