import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const outputCharsMax = 200_000;
const longestMs = 30 * 60_000;

export function say(line) {
  process.stdout.write(`tallystick: ${line}\n`);
}

export function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

/** The PATH without this checkout's own `.bin`, where npm puts it: what the machine had before we came. */
function machinePath(root) {
  const own = path.join(root, 'node_modules');
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.startsWith(own))
    .join(path.delimiter);
}

/** Runs a command to its end and returns what it printed, so that only a failure needs to be shown. */
export function run(command, args, { cwd, env = process.env, timeoutMs = longestMs } = {}) {
  return new Promise((resolve) => {
    let output = '';
    let timedOut = false;
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stopChild = () => child.kill('SIGTERM');
    const timer = setTimeout(() => {
      timedOut = true;
      stopChild();
    }, timeoutMs);
    const onSignal = (signal) => {
      stopChild();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    const collect = (chunk) => {
      output = (output + chunk).slice(-outputCharsMax);
    };
    const finish = (code) => {
      clearTimeout(timer);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      resolve({ ok: code === 0 && !timedOut, timedOut, output: output.trim() });
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => {
      output += error.message;
      finish(-1);
    });
    child.on('close', finish);
  });
}

/** The npm that called us when there is one, run by the machine's Node: an install replaces ours under our feet. */
export function runNpm(root, args, options = {}) {
  const searchPath = machinePath(root);
  const env = { ...process.env, PATH: searchPath };
  const caller = process.env.npm_execpath;
  if (caller?.endsWith('npm-cli.js') && fs.existsSync(caller)) {
    return run(findOnPath('node', searchPath) ?? process.execPath, [caller, ...args], {
      cwd: root,
      ...options,
      env,
    });
  }
  return run('npm', args, { cwd: root, ...options, env });
}

export function findOnPath(name, searchPath = process.env.PATH ?? '') {
  return searchPath
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

export function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
