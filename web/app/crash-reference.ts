/**
 * A short name for a crash, the same for the same fault, so that two readers who report it can be seen to mean one
 * thing. FNV-1a over the error's own text.
 */
export function crashReference(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  const hex = hash.toString(16).padStart(8, '0');
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}
