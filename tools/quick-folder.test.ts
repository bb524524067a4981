import { expect, it } from 'vitest';
import { servesPrograms } from './quick-folder.ts';

const line = (type: string, options: string) =>
  `proc /proc proc rw 0 0\n${type} /dev/shm ${type} ${options} 0 0\ntmpfs /tmp tmpfs rw 0 0\n`;

it('tests go into memory only where programs can be started from it', () => {
  expect(servesPrograms(line('tmpfs', 'rw,nosuid,nodev'))).toBe(true);
  expect(servesPrograms(line('tmpfs', 'rw,nosuid,nodev,noexec,relatime,size=65536k'))).toBe(false);
  expect(servesPrograms(line('ext4', 'rw'))).toBe(false);
  expect(servesPrograms('tmpfs /tmp tmpfs rw 0 0\n')).toBe(false);
  // What was mounted last lies on top.
  expect(servesPrograms(line('tmpfs', 'rw') + line('tmpfs', 'rw,noexec'))).toBe(false);
});
