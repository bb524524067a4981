export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** How each of many that run at once ended: done, or the code of its refusal. */
export async function outcomes(promises: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason.code ?? String(one.reason)),
  );
}
