import { siteMap } from '@tallystick/contract/site';

/** What Rolldown tells about a module while it makes chunks. */
interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

const routeFile = /\/web\/app\/(root|(public|investor|operator)\/(?:(\w+)\/)?(page|layout))\.tsx/;
const authFolders: readonly string[] = Object.values(siteMap.auth);

/** Which page or layout a module is, if it is one: `root`, `reading/blog`, `auth/login`, `investor/layout`. */
function routeOf(id: string): string | undefined {
  const [, root, area, folder, kind] = routeFile.exec(id) ?? [];
  if (area === undefined) return root;
  if (area !== 'public') return `${area}/${kind === 'layout' ? kind : folder}`;
  return `${authFolders.includes(folder ?? '') ? 'auth' : 'reading'}/${folder}`;
}

/** The routes that load a module from their beginning; what is imported later, like a modal, is no part of that. */
function routesOf(id: string, graph: Graph): string[] {
  const seen = new Set([id]);
  for (const one of seen)
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  return [...new Set([...seen].map(routeOf).filter((route) => route !== undefined))];
}

/** How many pages of an area need something; what its layout needs, all of them do. */
function countIn(area: string, routes: string[]): number {
  if (routes.includes(`${area}/layout`)) return Number.POSITIVE_INFINITY;
  return routes.filter((route) => route.startsWith(`${area}/`)).length;
}

/**
 * Left alone, every shared piece becomes a request of its own. So pieces travel together, by the folders of the pages
 * that need them. Each of these takes what the ones before it left, and with it whatever that imports.
 */
const chunks: ((routes: string[]) => string | undefined | false)[] = [
  // What the landing page shares with any other, and what else several pages to read need and not only they. Few of
  // them have a form, so what forms need, schemas above all, is no part of it.
  (routes) =>
    (routes.includes('root') ||
      routes.includes('reading/landing') ||
      (countIn('reading', routes) > 1 && routes.length > 2)) &&
    'shared',
  (routes) =>
    countIn('auth', routes) > 0 && countIn('auth', routes) + countIn('reading', routes) > 1 && 'signing-in',
  // One public page's own: a visitor never loads what is there for the signed-in areas.
  (routes) => routes.find((route) => /^(reading|auth)\//.test(route))?.replace('/', '-'),
  (routes) => countIn('investor', routes) > 1 && countIn('operator', routes) > 1 && 'signed-in',
  (routes) => countIn('investor', routes) > 2 && 'investor',
  (routes) => countIn('operator', routes) > 2 && 'operator',
];

/** Our own modules and the packages that come in many small ones. */
const small = /\/(contract|web\/app|node_modules\/(lucide-react|@tanstack))\//;

export const chunksByPage = chunks.map((chunk) => ({
  name: (id: string, graph: Graph) => chunk(routesOf(id, graph)) || null,
  test: small,
  minShareCount: 2,
}));
