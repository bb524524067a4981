/** The same names, one of them moved to another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((other) => other !== id);
  const place = Math.min(Math.max(to, 0), rest.length);
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

/** Things in the wished order; what the wish does not know keeps its place at the end. */
export function inOrder<Thing extends { _id: string }>(
  things: readonly Thing[],
  wish: readonly string[] | null,
): readonly Thing[] {
  if (!wish) return things;
  const place = ({ _id }: Thing) => {
    const at = wish.indexOf(_id);
    return at < 0 ? wish.length : at;
  };
  return things.toSorted((one, other) => place(one) - place(other));
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
