import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Debian's packages, and what of each is looked for. */
const wanted = {
  patroni: () => whereIs('patroni'),
  'etcd-server': () => whereIs('etcd'),
  'python3-etcd': () => firstOf(['/usr/lib/python3/dist-packages/etcd/__init__.py']),
  haproxy: () => whereIs('haproxy'),
  postgresql: () => postgresBin(),
};

const firstOf = (files: string[]) => files.find((file) => existsSync(file)) ?? null;

/** Not everybody's PATH has the folders of programs that are for administrators. */
export function whereIs(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/usr/bin'];
  return firstOf(folders.filter(Boolean).map((folder) => join(folder, name)));
}

/** The newest PostgreSQL that Debian has put beside the others. */
function postgresBin(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number).filter(Boolean) : [];
  const folders = versions
    .sort((one, other) => other - one)
    .map((version) => join(root, `${version}`, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'postgres'))) ?? null;
}

export interface Programs {
  patroni: string;
  etcd: string;
  haproxy: string;
  postgresBin: string;
}

/** What has to be installed first; nothing, where all is there. */
export function missingPackages(): string[] {
  return Object.entries(wanted)
    .filter(([, find]) => find() === null)
    .map(([name]) => name);
}

export const howToInstall = (packages: string[]) =>
  `Missing here: ${packages.join(', ')}. On Debian: apt-get install -y --no-install-recommends ${packages.join(' ')}`;

export function findPrograms(): Programs {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(howToInstall(missing));
  return {
    patroni: wanted.patroni() ?? '',
    etcd: wanted['etcd-server']() ?? '',
    haproxy: wanted.haproxy() ?? '',
    postgresBin: wanted.postgresql() ?? '',
  };
}

/** Whom PostgreSQL runs as: it refuses root. */
export interface Runner {
  uid: number;
  gid: number;
}

export function findRunner(): Runner {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { uid, gid };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  if (!line)
    throw new Error(
      'PostgreSQL does not run as root, and there is no user postgres: run this as somebody else.',
    );
  const [, , postgresUid, postgresGid] = line.split(':').map(Number);
  return { uid: postgresUid ?? 0, gid: postgresGid ?? 0 };
}

/** A socket's address has room for 107 letters. */
export function refuseLongPath(runDir: string): void {
  if (join(runDir, '.s.PGSQL.17011').length <= 100) return;
  throw new Error(`${runDir} is too long for PostgreSQL's sockets: choose a shorter DATA_DIR.`);
}

/** Root gets everywhere; whom PostgreSQL runs as does not, and would say so three times every two seconds. */
export function refuseClosedPath(dir: string, { uid, gid }: Runner): void {
  for (let folder = dir; ; folder = dirname(folder)) {
    const found = statSync(folder);
    const others = found.gid === gid ? 0o010 : 0o001;
    if ((found.mode & (found.uid === uid ? 0o100 : others)) === 0)
      throw new Error(
        `The user postgres, as whom the nodes run, cannot enter ${folder}: choose another DATA_DIR, or chmod o+x it.`,
      );
    if (folder === dirname(folder)) return;
  }
}
