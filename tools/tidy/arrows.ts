import { builtinModules } from 'node:module';
import type { Import, Source } from './source.ts';

export type Report = (line: number, message: string) => void;

/** A module imports another one's service only from a row above its own. */
const rows = [
  ['ledger', 'prices', 'mail', 'bounds', 'log'],
  ['notices'],
  ['users', 'networks'],
  ['investment', 'funding', 'withdrawal'],
  ['proof', 'account'],
  ['operator'],
];
const areas = ['public', 'investor', 'operator'];
const pureBuiltins = new Set(['crypto', 'url']);
const ioPackages = new Set([
  'pg',
  'kysely',
  'graphile-worker',
  'nodemailer',
  'smtp-server',
  'fastify',
  'pino',
]);
const ioPlatform =
  /^server\/platform\/((postgres|embedded-postgres|work|mail)\/|chains\/(json-rpc|open-chains|\w+\/node)\.ts$)/;
const queryVerbs = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'replaceInto',
]);

export function checkArrows(source: Source, report: Report): void {
  for (const imported of source.imports) {
    checkWorkspaces(source, imported, report);
    checkWebAreas(source, imported, report);
    if (isTest(source.path)) continue;
    checkPlatform(source, imported, report);
    checkFastify(source, imported, report);
    checkModule(source, imported, report);
  }
  if (isTest(source.path)) return;
  checkContractDoesNoIo(source, report);
  checkSql(source, report);
  checkRulesArePure(source, report);
  checkFetch(source, report);
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.startsWith('e2e/');
}

const top = (file: string) => file.split('/')[0] ?? '';
const isBuiltin = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier);

function checkWorkspaces({ path: file }: Source, imported: Import, report: Report): void {
  const target = imported.file && top(imported.file);
  const forbidden: Record<string, string[]> = {
    web: ['server'],
    server: ['web', 'verify'],
    contract: ['web', 'server', 'verify'],
    verify: ['web', 'server', 'contract'],
  };
  // A test may look at the server with an outsider's eyes.
  if (target === 'verify' && (isTest(file) || file.startsWith('server/testing/'))) return;
  if (target && forbidden[top(file)]?.includes(target)) {
    report(imported.line, `${top(file)} imports ${target}: they meet only in contract`);
  }
}

function checkContractDoesNoIo({ path: file, imports, calls }: Source, report: Report): void {
  if (top(file) !== 'contract') return;
  for (const { specifier, line } of imports) {
    if (isBuiltin(specifier)) report(line, `contract imports ${specifier}: it does no I/O`);
  }
  for (const { callee, line } of calls)
    if (isFetch(callee)) report(line, 'contract calls fetch: it does no I/O');
}

function checkPlatform({ path: file }: Source, imported: Import, report: Report): void {
  if (file.startsWith('server/platform/') && imported.file?.startsWith('server/modules/')) {
    report(imported.line, 'platform imports a module');
  }
}

function checkFastify({ path: file }: Source, imported: Import, report: Report): void {
  if (top(file) !== 'server' || !/^(fastify$|fastify-|@fastify\/)/.test(imported.specifier)) return;
  const speaksHttp = /^server\/(app\.ts$|platform\/|testing\/|demo\/([\w-]+-)?routes\.ts$)/.test(file);
  if (!speaksHttp && placeOf(file)?.layer !== 'routes') {
    report(imported.line, `${imported.specifier} outside routes: only routes, app and platform know HTTP`);
  }
}

type Layer = 'routes' | 'service' | 'store' | 'rules';

/** Which module and layer a file belongs to. A letter is text made of values, so it is held to the rules of rules. */
function placeOf(file: string): { word: string; layer: Layer } | undefined {
  const [, word, rest] = /^server\/modules\/([^/]+)\/(.+)\.tsx?$/.exec(file) ?? [];
  if (word === undefined || rest === undefined) return undefined;
  if (/(^|[/-])routes$/.test(rest)) return { word, layer: 'routes' };
  if (rest.endsWith('store')) return { word, layer: 'store' };
  if (rest.endsWith('rules') || rest.startsWith('letters/')) return { word, layer: 'rules' };
  return { word, layer: 'service' };
}

/** What a layer may use of its own module. */
const uses: Record<Layer, Layer[]> = {
  routes: ['routes', 'service', 'rules'],
  service: ['service', 'store', 'rules'],
  store: ['store'],
  rules: ['rules'],
};
/** Of which layers it may, besides, name the types: so that none is written twice, or passed on by a third file. */
const names: Record<Layer, Layer[]> = { routes: ['store'], service: [], store: ['rules'], rules: [] };

function checkModule({ path: file }: Source, imported: Import, report: Report): void {
  const from = placeOf(file);
  if (!from) return;
  if (rowOf(from.word) === -1) report(1, `${from.word} is not one of the words that modules have`);
  const to = imported.file === undefined ? undefined : placeOf(imported.file);
  if (!to) return;
  if (to.word === from.word) {
    const allowed = imported.typeOnly ? [...uses[from.layer], ...names[from.layer]] : uses[from.layer];
    if (!allowed.includes(to.layer)) report(imported.line, `${from.layer} imports ${to.layer}`);
    return;
  }
  if (from.layer === 'store' || from.layer === 'rules') {
    report(imported.line, `${from.layer} imports another module`);
  }
  if (imported.file !== `server/modules/${to.word}/service.ts`) {
    report(imported.line, `${from.word} imports ${imported.file}: another module is its service.ts`);
  }
  if (rowOf(to.word) >= rowOf(from.word)) {
    report(imported.line, `${from.word} imports ${to.word}, which is not in a row above it`);
  }
}

function rowOf(word: string): number {
  return rows.findIndex((row) => row.includes(word));
}

function checkSql({ path: file, imports, calls }: Source, report: Report): void {
  if (top(file) !== 'server' || placeOf(file)?.layer === 'store') return;
  if (/^server\/((platform|migrations|testing|commands)\/|demo\/[\w-]+-store\.ts$)/.test(file)) return;
  for (const { specifier, names, typeOnly, line } of imports) {
    const brings = specifier === 'pg' || (specifier === 'kysely' && names.includes('sql'));
    if (brings && !typeOnly) report(line, `${specifier} outside a store: SQL lives in *store.ts`);
  }
  for (const { callee, line } of calls) {
    const verb = callee.split('.').at(-1) ?? '';
    if (queryVerbs.has(verb)) report(line, `${verb} outside a store: SQL lives in *store.ts`);
  }
}

function checkRulesArePure({ path: file, imports, calls }: Source, report: Report): void {
  if (placeOf(file)?.layer !== 'rules') return;
  for (const { specifier, file: target, line } of imports) {
    const isIo = isBuiltin(specifier) && !pureBuiltins.has(specifier.replace('node:', ''));
    if (isIo || ioPackages.has(specifier) || ioPlatform.test(target ?? '')) {
      report(line, `rules import ${specifier}: they decide, they do no I/O`);
    }
  }
  for (const { callee, isNew, argumentCount, line } of calls) {
    const readsClock = callee === 'Date.now' || (callee === 'Date' && (!isNew || argumentCount === 0));
    if (readsClock) report(line, 'rules read the clock: time is an argument');
    if (isFetch(callee)) report(line, 'rules call fetch: they decide, they do no I/O');
  }
}

function checkWebAreas({ path: file }: Source, imported: Import, report: Report): void {
  const place = (one: string | undefined) => /^web\/app\/([^/]+)/.exec(one ?? '')?.[1];
  const [from, to] = [place(file), place(imported.file)];
  if (from === undefined || to === undefined || from === to) return;
  const isArea = areas.includes(to);
  if (areas.includes(from) && isArea) report(imported.line, `the area ${from} imports the area ${to}`);
  if (from === 'domain' && isArea) report(imported.line, `domain imports the area ${to}`);
  if (from === 'ui' && (isArea || to === 'domain' || to === 'api.ts'))
    report(imported.line, `ui imports ${to}`);
  if (from === 'api.ts' && (isArea || to === 'domain' || to === 'ui'))
    report(imported.line, `api imports ${to}`);
}

const isFetch = (callee: string) =>
  /^((window|globalThis|self)\.)?fetch$/.test(callee) || callee === 'XMLHttpRequest';

function checkFetch({ path: file, calls }: Source, report: Report): void {
  if (!file.startsWith('web/app/') || file === 'web/app/api.ts') return;
  for (const { callee, line } of calls) if (isFetch(callee)) report(line, 'fetch outside web/app/api.ts');
}
