/**
 * The folders whose tests a change is first tried with. By its imports nearly every test of the server depends on
 * nearly all of it, so that `vitest --changed` alone would run them all: that is what `npm run check` is for.
 */
const rooms = [/^server\/(modules|platform)\/[^/]+\//, /^server\/[^/]+\//, /^web\/app\/[^/]+\//, /^[^/]+\//];

export function roomsOf(files: readonly string[]): string[] {
  const found = files
    .filter((file) => /\.(tsx?|mjs|css|sql|json)$/.test(file))
    .map((file) => rooms.map((room) => room.exec(file)?.[0]).find((room) => room !== undefined))
    .filter((room) => room !== undefined);
  return [...new Set(found)].sort();
}
