import { siteMap } from '@tallystick/contract/site';

/** What Rolldown tells about a module while it makes chunks. */
export interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

const routeFile = /\/web\/app\/(root|(public|investor|operator)\/(?:(\w+)\/)?(?:page|layout))\.tsx/;
const authFolders: readonly string[] = Object.values(siteMap.auth);

/** Which page or layout a module is, if it is one: `auth/login`, `investor/frame`. */
function routeOf(id: string): string | undefined {
  const [, root, area, folder = 'frame'] = routeFile.exec(id) ?? [];
  if (area === undefined) return root;
  const isAuth = area === 'public' && authFolders.includes(folder);
  return `${isAuth ? 'auth' : area}/${folder}`;
}

/** The routes that load a module from their beginning; what is imported later, like a modal, is no part of that. */
function routesOf(id: string, graph: Graph): string[] {
  const seen = new Set([id]);
  for (const one of seen) for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  return [...new Set([...seen].map(routeOf).filter((route) => route !== undefined))];
}

/**
 * Left alone, every shared piece becomes a request of its own, so pieces travel together, by the folders of the pages
 * that need them. What the landing page shares with any other goes with the pages to read; what forms need, schemas
 * above all, only to pages that have one; what only the signed-in areas use stays out of both.
 */
export function chunkOf(id: string, graph: Graph): string | null {
  if (id.includes('/node_modules/')) return 'shared';
  const routes = routesOf(id, graph);
  const count = (area: string) => routes.filter((route) => route.startsWith(area)).length;
  const reading = count('public/');
  if (routes.includes('root') || routes.includes('public/landing') || reading > 1) return 'shared';
  if (reading + count('auth/') > 1) return 'signing-in';
  if (reading + count('auth/') === 1) return null;
  const [ofInvestor, ofOperator] = [count('investor/'), count('operator/')];
  if (ofInvestor > 1 && ofOperator > 1) return 'signed-in';
  if (ofInvestor > 1) return 'investor';
  return ofOperator > 1 ? 'console' : null;
}

export const chunkNames = ['shared', 'signing-in', 'signed-in', 'investor', 'console'];
