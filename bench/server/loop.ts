export interface Done {
  done: number;
  seconds: number;
}

/** How often `act` was done by `atOnce` who each do it again and again for about `seconds`. */
export async function again(
  { atOnce, seconds }: { atOnce: number; seconds: number },
  act: (time: number) => Promise<unknown>,
): Promise<Done> {
  const begun = performance.now();
  const endsAt = begun + seconds * 1000;
  let started = 0;
  let done = 0;
  const one = async () => {
    while (performance.now() < endsAt) {
      started += 1;
      await act(started);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return { done, seconds: (performance.now() - begun) / 1000 };
}
