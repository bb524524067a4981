import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './run.mjs';

const heartbeatMs = 2_000;
const staleAfterMs = 20_000;
const pollMs = 250;

/** Runs `work` while no other process of this checkout runs such work; waits for the other one to finish. */
export async function withLock(file, work) {
  const token = `${process.pid} ${os.hostname()} ${Date.now()}`;
  let waited = false;
  while (!take(file, token)) {
    const holder = read(file);
    if (holder !== undefined && isStale(file, holder)) {
      breakLock(file, holder);
      continue;
    }
    if (!waited) say('another start is preparing this checkout; waiting for it to finish.');
    waited = true;
    await sleep(pollMs);
  }
  const release = () => {
    if (read(file) === token) fs.rmSync(file, { force: true });
  };
  const heartbeat = setInterval(() => touch(file), heartbeatMs);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

function take(file, token) {
  try {
    fs.writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function touch(file) {
  try {
    fs.utimesSync(file, new Date(), new Date());
  } catch {
    // Someone removed the lock by hand; the work goes on, and losing the lock is theirs to bear.
  }
}

/**
 * On the same machine a dead process is enough. The heartbeat covers what process ids cannot: a reused id, and a
 * checkout that is mounted into containers with process ids of their own.
 */
function isStale(file, holder) {
  const [pid, host] = holder.split(' ');
  if (host === os.hostname() && !isAlive(Number(pid))) return true;
  try {
    return Date.now() - fs.statSync(file).mtimeMs > staleAfterMs;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two waiters may see the same stale lock: the rename lets one of them win, and a fresh lock that was hit is put back. */
function breakLock(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, aside);
    if (read(aside) !== holder) fs.linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}
