import path from 'node:path';
import { parseSync } from 'vite';

export interface Import {
  specifier: string;
  /** The file of this repository it names, from the root; undefined for a package. */
  file: string | undefined;
  names: string[];
  typeOnly: boolean;
  line: number;
}

interface Call {
  /** `it.skip`, `db.selectFrom`, `fetch`; pieces that are no plain names are left out. */
  callee: string;
  isNew: boolean;
  argumentCount: number;
  firstString: string | undefined;
  line: number;
}

export interface FunctionSpan {
  /** Of a declaration; other functions have none. */
  name: string | undefined;
  line: number;
  lineCount: number;
  /** The callback of a `describe`, which is a chapter of tests rather than a function. */
  isChapter: boolean;
}

/** What the rules want to know of a TypeScript or JavaScript file. */
export interface Source {
  path: string;
  imports: Import[];
  calls: Call[];
  functions: FunctionSpan[];
  /** Lines at which a literal is spread: what it holds could stand there itself. */
  spreadLiterals: number[];
  /** Lines at which something is said to be `never`. */
  castsToNever: number[];
  onlyReexports: boolean;
  error: { line: number; message: string } | undefined;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Uses the parser that already builds the web app, because a hand-made scanner is wrong about some regex one day. */
export function readSource(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text);
  const lineAt = lineFinder(text);
  const firstError = errors[0];
  const source: Source = {
    path: file,
    imports: [],
    calls: [],
    functions: [],
    spreadLiterals: [],
    castsToNever: [],
    onlyReexports: onlyReexports(program.body as unknown as Node[]),
    error: firstError && { line: lineAt(firstError.labels[0]?.start ?? 0), message: firstError.message },
  };
  walk(program as unknown as Node, false, (node, isChapter) => collect(node, isChapter, source, lineAt));
  return source;
}

function collect(node: Node, isChapter: boolean, source: Source, lineAt: (offset: number) => number): void {
  const imported = readImport(node);
  if (imported) {
    const { specifier } = imported;
    source.imports.push({
      ...imported,
      file: resolveImport(source.path, specifier),
      line: lineAt(node.start),
    });
  }
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const args = node.arguments as Node[];
    source.calls.push({
      callee: nameOf(node.callee as Node),
      isNew: node.type === 'NewExpression',
      argumentCount: args.length,
      firstString: stringOf(args[0]),
      line: lineAt(node.start),
    });
  }
  if (functionTypes.has(node.type)) {
    const name = isNode(node.id) ? nameOf(node.id) : undefined;
    const line = lineAt(node.start);
    source.functions.push({ name, line, lineCount: lineAt(node.end) - line + 1, isChapter });
  }
  if (isSpreadLiteral(node)) source.spreadLiterals.push(lineAt(node.start));
  if (isCastToNever(node)) source.castsToNever.push(lineAt(node.start));
}

/** `...{ a, b }` and `...['a', 'b']`, but not `...(isSo && { a })`. */
function isSpreadLiteral(node: Node): boolean {
  return node.type === 'SpreadElement' && /^(Object|Array)Expression$/.test((node.argument as Node).type);
}

function isCastToNever(node: Node): boolean {
  return node.type === 'TSAsExpression' && (node.typeAnnotation as Node).type === 'TSNeverKeyword';
}

function walk(node: Node, isChapter: boolean, visit: (node: Node, isChapter: boolean) => void): void {
  visit(node, isChapter);
  const opensChapter =
    node.type === 'CallExpression' &&
    nameOf(node.callee as Node)
      .split('.')
      .includes('describe');
  for (const key in node) {
    const value = node[key];
    const children = Array.isArray(value) ? value : [value];
    for (const child of children) if (isNode(child)) walk(child, opensChapter && key === 'arguments', visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** `a.b.c` of `a.b.c(…)`, and of `a.b.c(…)(…)`, so that `it.skip.each(table)(…)` is still seen as `it.skip.each`. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'CallExpression') return nameOf(node.callee as Node);
  if (node.type === 'ChainExpression') return nameOf(node.expression as Node);
  if (node.type === 'TaggedTemplateExpression') return nameOf(node.tag as Node);
  if (node.type !== 'MemberExpression') return '';
  return `${nameOf(node.object as Node)}.${node.computed ? '' : nameOf(node.property as Node)}`;
}

function stringOf(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function readImport(node: Node): Pick<Import, 'specifier' | 'names' | 'typeOnly'> | undefined {
  const isDeclaration = /^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type);
  if (!isDeclaration && node.type !== 'ImportExpression' && node.type !== 'TSImportType') return undefined;
  const specifier = stringOf(node.source as Node | undefined) ?? stringOf(node.argument as Node | undefined);
  if (specifier === undefined) return undefined;
  const specifiers = (node.specifiers ?? []) as Node[];
  const isType = (one: Node) => one.importKind === 'type' || one.exportKind === 'type';
  return {
    specifier,
    names: specifiers.map((one) => nameOf((one.imported ?? one.local) as Node)),
    typeOnly:
      isType(node) || node.type === 'TSImportType' || (specifiers.length > 0 && specifiers.every(isType)),
  };
}

function resolveImport(from: string, specifier: string): string | undefined {
  const workspace = /^@tallystick\/(\w+)(?:\/(.+))?$/.exec(specifier);
  if (workspace) return workspace[2] ? `${workspace[1]}/${workspace[2]}.ts` : `${workspace[1]}/index.ts`;
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : undefined;
}

function onlyReexports(body: Node[]): boolean {
  const passesOn = (node: Node) =>
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && !node.declaration);
  return body.some(passesOn) && body.every((node) => passesOn(node) || node.type === 'ImportDeclaration');
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
