/**
 * Keeps the house as ARCHITECTURE.md draws it: the arrows between folders, small files and functions, honest words.
 * It only looks at the texts it is given; tools/tidy/tidy.test.ts brings those of the repository.
 */
import { checkArrows, isTest, type Report } from './arrows.ts';
import { findCircles } from './circles.ts';
import { checkDocs } from './docs.ts';
import { findCrowdedFolders } from './folders.ts';
import { type FunctionSpan, readSource, type Source } from './source.ts';

export interface Finding {
  file: string;
  line: number;
  message: string;
}

const fileLinesMax = 300;
const functionLinesMax = 70;
const sized = /\.(ts|tsx|css|sql|mjs)$/;
const parsed = /\.(ts|tsx|mjs)$/;
const generated = new Set(['server/platform/postgres/schema.ts']);
/** These name the words they look for. */
const ownFiles = /^tools\/tidy\//;
const emptyNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc']);

/** `files` maps each path, from the repository's root, to its text. */
export function findUntidy(files: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  const sources: Source[] = [];
  for (const [file, text] of files) {
    const report: Report = (line, message) => findings.push({ file, line, message });
    checkName(file, report);
    checkWords(file, text, report);
    checkLedgerWrites(file, text, report);
    checkRawRequest(file, text, report);
    if (sized.test(file) && !generated.has(file)) checkFileLength(text, report);
    if (!parsed.test(file) || generated.has(file) || file.endsWith('.d.ts')) continue;
    const source = readSource(file, text);
    sources.push(source);
    if (source.error) report(source.error.line, source.error.message);
    checkArrows(source, report);
    checkFunctions(source, report);
    checkTestsRun(source, report);
    for (const line of source.spreadLiterals) report(line, 'spreads a literal: write out what it holds');
    for (const line of source.castsToNever) report(line, "'as never': say what it is");
    if (source.onlyReexports) report(1, 'a file that only passes on what others export');
  }
  return [...findings, ...findCircles(sources), ...findCrowdedFolders(files.keys()), ...checkDocs(files)];
}

function checkName(file: string, report: Report): void {
  for (const part of file.split('/')) {
    const name = part.replace(/\..*$/, '').toLowerCase();
    if (emptyNames.has(name)) report(1, `'${name}' says nothing: name it after what it is about`);
  }
}

function eachMatch(text: string, pattern: RegExp, found: (line: number, word: string) => void): void {
  for (const match of text.matchAll(pattern)) found(text.slice(0, match.index).split('\n').length, match[0]);
}

function checkWords(file: string, text: string, report: Report): void {
  if (ownFiles.test(file)) return;
  if (sized.test(file)) {
    eachMatch(text, /\b(TODO|FIXME|XXX)\b/g, (line, word) =>
      report(line, `${word}: finish it or leave it out`),
    );
  }
  const isLetter = file.startsWith('server/modules/mail/') || /^server\/.*letter/.test(file);
  const speaksToPeople = /^(web|content)\//.test(file) || isLetter;
  if (!speaksToPeople || isTest(file)) return;
  eachMatch(text, /guaranteed/gi, (line, word) => report(line, `'${word}': nothing here is`));
}

const sqlWrite =
  /\b(insert\s+into|update|delete\s+from|truncate|merge\s+into|copy)(\s+(table|only))*\s+"?ledger_\w+/gi;
const builderWrite = /\.(insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"`]ledger_\w+/g;

function checkLedgerWrites(file: string, text: string, report: Report): void {
  const mayWrite =
    /^server\/(modules\/ledger\/[\w-]*store\.ts$|migrations\/|testing\/)/.test(file) || isTest(file);
  if (mayWrite || !/^server\/.*\.(ts|sql)$/.test(file)) return;
  for (const pattern of [sqlWrite, builderWrite]) {
    eachMatch(text, pattern, (line) => report(line, "writes a ledger table: only the ledger's store does"));
  }
}

/** One address has many spellings, and one route, too. */
function checkRawRequest(file: string, text: string, report: Report): void {
  if (!/^server\/.*\.ts$/.test(file) || file.startsWith('server/testing/') || isTest(file)) return;
  eachMatch(text, /\brequest\.ips?\b/g, (line, word) =>
    report(line, `${word}: who asks is request.clientAddress`),
  );
  eachMatch(text, /\brequest\.(raw\.url|url|originalUrl)\b/g, (line, word) =>
    report(line, `${word}: what is asked for is request.routeOptions.url`),
  );
}

function checkFileLength(text: string, report: Report): void {
  const lineCount = text.replace(/\n$/, '').split('\n').length;
  if (lineCount > fileLinesMax) report(fileLinesMax + 1, `${lineCount} lines, more than ${fileLinesMax}`);
}

function checkFunctions(source: Source, report: Report): void {
  for (const span of source.functions) {
    const lineCount = countedLines(span, source);
    if (lineCount <= functionLinesMax || (span.isChapter && isTest(source.path))) continue;
    report(span.line, `a function of ${lineCount} lines, more than ${functionLinesMax}`);
  }
}

/** A server's factory is the list of its verbs: each verb counts by itself, the factory only with the lines around them. */
function countedLines({ name, line, lineCount }: FunctionSpan, { path: file, functions }: Source): number {
  if (!file.startsWith('server/') || !/^create[A-Z]/.test(name ?? '')) return lineCount;
  const inVerbs = new Set<number>();
  for (const inner of functions) {
    const isVerb =
      inner.line > line && inner.line + inner.lineCount < line + lineCount && inner.lineCount > 1;
    for (let at = 0; isVerb && at < inner.lineCount; at += 1) inVerbs.add(inner.line + at);
  }
  return lineCount - inVerbs.size;
}

function checkTestsRun(source: Source, report: Report): void {
  if (!isTest(source.path)) return;
  for (const { callee, line } of source.calls) {
    const [first = '', ...rest] = callee.split('.');
    const isTestCall = /^(it|test|describe|suite|bench)$/.test(first);
    const held = isTestCall && rest.find((part) => /^(only|skip|todo|fixme|fails)$/.test(part));
    if (held) report(line, `.${held}( keeps tests from running`);
    if (/^(x|f)(it|test|describe)$/.test(first)) report(line, `${first}( keeps tests from running`);
  }
}
