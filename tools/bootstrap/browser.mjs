import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findOnPath, isExecutable, run, say, seconds } from './run.mjs';

/** The shell without windows comes first: it draws the same pages in half the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const places = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/opt/homebrew/bin',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Google Chrome.app/Contents/MacOS',
];
const macNames = ['Chromium', 'Google Chrome'];
const answerMs = 30_000;
const downloadMs = 5 * 60_000;

const noteFile = (root) => path.join(root, 'node_modules', '.chromium-path');

/** Leaves the path of a Chromium that really starts in node_modules/.chromium-path, which tools/chromium.ts reads. */
export async function ensureBrowser(root, exclusively) {
  if (process.env.CHROMIUM_PATH) {
    if (!(await starts(process.env.CHROMIUM_PATH))) {
      throw new Error(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which does not start.`);
    }
    return note(root, process.env.CHROMIUM_PATH);
  }
  if (isExecutable(readNote(root))) return;
  const found = (await findInstalled(root)) ?? (await exclusively(() => install(root)));
  if (!found) {
    throw new Error(
      'The browser tests need Chromium, none was found and none could be installed. Install Chromium or Chrome ' +
        'with your package manager, or set CHROMIUM_PATH to one, and run this again.',
    );
  }
  note(root, found);
}

function readNote(root) {
  try {
    return fs.readFileSync(noteFile(root), 'utf8').trim();
  } catch {
    return '';
  }
}

function note(root, file) {
  if (readNote(root) === file) return;
  fs.writeFileSync(noteFile(root), `${file}\n`);
  say(`browser tests use ${file}`);
}

/** A name alone proves nothing: on some systems `chromium-browser` is a stub that only says what to install. */
async function starts(file) {
  return isExecutable(file) && (await run(file, ['--version'], { timeoutMs: answerMs })).ok;
}

async function findInstalled(root) {
  const candidates = [
    ...names.map((name) => findOnPath(name)),
    ...places.flatMap((place) => [...names, ...macNames].map((name) => path.join(place, name))),
    ownBrowser(root),
  ];
  for (const candidate of candidates) {
    if (candidate && (await starts(candidate))) return candidate;
  }
  return undefined;
}

function ownBrowser(root) {
  try {
    return createRequire(path.join(root, 'package.json'))('@playwright/test').chromium.executablePath();
  } catch {
    return undefined;
  }
}

async function install(root) {
  const began = Date.now();
  const playwright = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const asRootWithApt = process.getuid?.() === 0 && findOnPath('apt-get');
  const attempts = [
    ['downloading a Chromium for the browser tests.', process.execPath, [playwright, 'install', 'chromium']],
    asRootWithApt && ['refreshing the package lists.', 'apt-get', ['update']],
    ...['chromium-headless-shell', 'chromium'].map(
      (name) => asRootWithApt && [`installing ${name} with apt-get.`, 'apt-get', ['install', '-y', name]],
    ),
  ].filter(Boolean);
  for (const [line, command, args] of attempts) {
    say(line);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const result = await run(command, args, { cwd: root, env, timeoutMs: downloadMs });
    const found = await findInstalled(root);
    if (found) {
      say(`browser ready in ${seconds(began)}.`);
      return found;
    }
    say(`that did not help: ${result.output.split('\n').at(-1) || 'no answer in time'}`);
  }
  return undefined;
}
