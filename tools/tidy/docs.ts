import path from 'node:path';
import type { Finding } from './tidy.ts';

const decisionsFolder = 'docs/decisions/';
const decisionsIndex = `${decisionsFolder}README.md`;
const decisionHeadings = ['Context', 'Decision', 'Consequences'];
/** Whatever is written in backquotes and looks like a file; `<word>` stands for any. */
const namedFile = /`((?:[\w.<>-]+\/)*[\w.<>-]*[\w>]\.(?:tsx?|mjs|sql|css|md))`/g;
const link = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g;

/** What documents and comments say of files: a file that is named is there, and every decision is in the index. */
export function checkDocs(files: ReadonlyMap<string, string>): Finding[] {
  return [...checkNamedFiles(files), ...checkDecisions(files)];
}

function checkNamedFiles(files: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  const places = [...files.keys()].map((file) => `/${file}`);
  const isThere = (name: string) => {
    const pattern = name.replace(/[.]/g, '\\.').replace(/<\w+>/g, '[^/]+');
    return places.some((place) => new RegExp(`/${pattern}$`).test(place));
  };
  for (const [file, text] of files) {
    if (!/\.(md|tsx?|mjs)$/.test(file) || /\.test\.tsx?$|^tools\/tidy/.test(file)) continue;
    const report = (at: number, message: string) =>
      findings.push({ file, line: text.slice(0, at).split('\n').length, message });
    for (const { 1: name = '', index } of text.matchAll(namedFile)) {
      if (!isThere(name)) report(index, `names ${name}, which is not there`);
    }
    if (!file.endsWith('.md') || file.startsWith('content/')) continue;
    for (const { 1: target = '', index } of text.matchAll(link)) {
      const linked = path.posix.join(path.posix.dirname(file), target);
      const isFolder = places.some((place) => place.startsWith(`/${linked.replace(/\/$/, '')}/`));
      if (!files.has(linked) && !isFolder) report(index, `links to ${target}, which is not there`);
    }
  }
  return findings;
}

function checkDecisions(files: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  const complain = (file: string, message: string) => findings.push({ file, line: 1, message });
  const decisions = [...files.keys()]
    .filter((file) => file.startsWith(decisionsFolder) && file !== decisionsIndex)
    .sort();
  decisions.forEach((file, index) => {
    const wanted = String(index + 1).padStart(3, '0');
    const name = file.slice(decisionsFolder.length);
    if (!/^\d{3}-[a-z0-9-]+\.md$/.test(name) || !name.startsWith(`${wanted}-`)) {
      complain(file, `expected ${wanted}-….md: decisions are numbered without gaps`);
    }
    for (const heading of decisionHeadings) {
      if (!new RegExp(`^#+ ${heading}\\b`, 'm').test(files.get(file) ?? '')) {
        complain(file, `no heading ${heading}`);
      }
    }
    if (!files.get(decisionsIndex)?.includes(`](${name})`)) {
      complain(decisionsIndex, `does not list ${name}`);
    }
  });
  return findings;
}
