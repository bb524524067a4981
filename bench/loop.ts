/** How many times a second `act` was done by `atOnce` who each do it again and again, for about `seconds`. */
export async function perSecond(
  atOnce: number,
  seconds: number,
  act: (who: number) => Promise<void>,
): Promise<number> {
  const begun = performance.now();
  const endsAt = begun + seconds * 1000;
  let done = 0;
  const one = async (who: number) => {
    while (performance.now() < endsAt) {
      await act(who);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, who) => one(who)));
  return (done * 1000) / (performance.now() - begun);
}
