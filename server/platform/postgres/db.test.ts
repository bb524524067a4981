import { expect, it } from 'vitest';
import { isDatabaseAway } from './away.ts';

const error = (message: string, more: { code?: string; severity?: string } = {}) =>
  Object.assign(new Error(message), more);

it.each([
  ['a disk that is full', error('could not extend file', { code: '53100', severity: 'ERROR' })],
  ['a disk that fails', error('could not read block 7', { code: '58030', severity: 'ERROR' })],
  ['a standby', error('cannot execute INSERT in a read-only transaction', { code: '25006' })],
  ['a crash', error('terminating connection because of crash', { code: '57P02', severity: 'WARNING' })],
  ['a panic', error('could not write to log file', { code: 'XX000', severity: 'PANIC' })],
  ['a login that is not let in any more', error('password authentication failed', { severity: 'FATAL' })],
  [
    'a connection that broke before its rollback',
    error('Client has encountered a connection error and is not queryable'),
  ],
  ['a connection that was closed', error('Client was closed and is not queryable')],
  ['a name that is not found', error('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' })],
  ['a server that is closing', error('Cannot use a pool after calling end on the pool')],
])('%s is the database being away, and no fault of ours', (_case, thrown) => {
  expect(isDatabaseAway(thrown)).toBe(true);
});

it.each([
  ['a wrong statement', error('syntax error at or near "selct"', { code: '42601', severity: 'ERROR' })],
  ['a broken rule', error('a movement does not balance', { code: '23514', severity: 'ERROR' })],
  ['a missing right', error('permission denied', { code: '42501', severity: 'ERROR' })],
])('%s is a fault of ours', (_case, thrown) => {
  expect(isDatabaseAway(thrown)).toBe(false);
});
