const readAtOnce = 1000;

/** Everything there is, newest first, a thousand at a time: each part goes on below the last row of the one before. */
export async function* inParts<Row>(
  read: (part: { below: bigint | null; limit: number }) => Promise<Row[]>,
  placeOf: (row: Row) => bigint,
): AsyncGenerator<Row> {
  for (let below: bigint | null = null; ; ) {
    const part: Row[] = await read({ below, limit: readAtOnce });
    yield* part;
    const last = part.at(-1);
    if (!last || part.length < readAtOnce) return;
    below = placeOf(last);
  }
}
