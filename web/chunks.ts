/** What Rolldown tells about a module while it makes chunks. */
interface Graph {
  getModuleInfo(id: string): { importers: readonly string[]; importedIds: readonly string[] } | null;
}

const routeFile = /\/web\/app\/(root|(public|investor|operator)\/(?:(\w+)\/)?(page|layout))\.tsx/;

/** Which page or layout a module is, if it is one: `root`, `public/login`, `investor/layout`. */
function routeOf(id: string): string | undefined {
  const [, root, area, folder, kind] = routeFile.exec(id) ?? [];
  if (area === undefined) return root;
  return `${area}/${kind === 'layout' && area !== 'public' ? kind : folder}`;
}

/** A module and all that are met from it on one way or the other. */
function reached(id: string, graph: Graph, way: 'importers' | 'importedIds'): Set<string> {
  const seen = new Set([id]);
  for (const one of seen) for (const next of graph.getModuleInfo(one)?.[way] ?? []) seen.add(next);
  return seen;
}

/** The routes that load a module from their beginning; what is imported later, like a modal, is no part of that. */
function routesOf(id: string, graph: Graph): string[] {
  const routes = [...reached(id, graph, 'importers')].map(routeOf);
  return [...new Set(routes.filter((route) => route !== undefined))];
}

/** Schemas, and forms that are checked by them, are a good part of the app and on few of its pages. */
const formPackages = /\/node_modules\/(zod|react-hook-form|@hookform)\//;
const isOfForms = (id: string, graph: Graph) =>
  [...reached(id, graph, 'importedIds')].some((one) => formPackages.test(one));

/** How many pages of an area need something; what its layout needs, all of them do. */
function countIn(area: string, routes: string[]): number {
  if (routes.includes(`${area}/layout`)) return Number.POSITIVE_INFINITY;
  return routes.filter((route) => route.startsWith(`${area}/`)).length;
}

const isIn = (area: string, routes: string[]) => countIn(area, routes) > 0;
const isShared = (routes: string[]) => isIn('investor', routes) && isIn('operator', routes);
const isOnDashboard = (routes: string[]) =>
  ['investor/layout', 'investor/dashboard'].some((one) => routes.includes(one));
const isSignedIn = (routes: string[]) => isIn('investor', routes) || isIn('operator', routes);

/**
 * Left alone, every shared piece becomes a request of its own. So pieces travel together, by the folders of the pages
 * that need them. Each of these takes what the ones before it left, and with it whatever that imports.
 */
const chunks: ((routes: string[]) => string | undefined | false)[] = [
  // What public pages share with the signed-in areas, in two: the dashboard has no field to fill in and asks for no code.
  (routes) => (routes.includes('root') || (isIn('public', routes) && isOnDashboard(routes))) && 'shared',
  (routes) => isIn('public', routes) && isSignedIn(routes) && 'shared-screens',
  (routes) => countIn('public', routes) > 1 && 'signing-in',
  // One public page's own: a visitor never loads what is there for the signed-in areas.
  (routes) => routes.find((route) => route.startsWith('public/'))?.replace('/', '-'),
  // What both signed-in areas share, in two: the dashboard, which everyone sees first, has no list to narrow and no choice.
  (routes) => isShared(routes) && isOnDashboard(routes) && 'signed-in',
  (routes) => isShared(routes) && 'lists',
  (routes) => countIn('investor', routes) > 2 && (isOnDashboard(routes) ? 'investor' : 'investor-lists'),
  (routes) => countIn('operator', routes) > 2 && 'operator',
];

/** Our own modules and the packages that come in many small ones. */
const small = /\/(contract|web\/app|node_modules\/(lucide-react|@tanstack))\//;

/** What needs no forms comes first, so that it never waits for them. */
export const chunksByPage = [false, true].flatMap((ofForms) =>
  chunks.map((chunk) => ({
    name(id: string, graph: Graph) {
      const name = isOfForms(id, graph) === ofForms && chunk(routesOf(id, graph));
      return name ? name + (ofForms ? '-forms' : '') : null;
    },
    test: small,
    minShareCount: 2,
  })),
);
