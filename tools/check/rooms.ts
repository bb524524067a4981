import path from 'node:path';

/**
 * The tests that a change is first tried with. By its imports nearly every test of the server depends on nearly all of
 * it, so that `vitest --changed` alone would run them all: that is what `npm test` is for. Those named after a
 * changed file or after its room are tried; where there are none, all of the room. A tool that has none is tried with those
 * of all tools, which are few.
 */
const rooms = [
  /^server\/(modules|platform)\/[^/]+\//,
  /^(server|web\/app|tools|drills|ops)\/[^/]+\//,
  /^[^/]+\//,
];

const isOfTools = (test: string) => test.startsWith('tools/');
const stemOf = (file: string) => path.posix.basename(file).replace(/(\.test)?\.\w+$/, '');

export function testsNear(files: readonly string[], tests: readonly string[]): string[] {
  const near = files
    .filter((file) => /\.(tsx?|mjs|css|sql|json)$/.test(file))
    .flatMap((file) => {
      const [room] = rooms.flatMap((each) => each.exec(file) ?? []);
      if (room === undefined) return [];
      const own = tests.filter((test) => test.startsWith(room));
      const inRoom = own.length === 0 && room.startsWith('tools/') ? tests.filter(isOfTools) : own;
      const names = [stemOf(file), path.posix.basename(room)];
      const named = inRoom.filter((test) => names.includes(stemOf(test)));
      return named.length > 0 ? named : inRoom;
    });
  return [...new Set(near)].sort();
}
