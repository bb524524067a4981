/** Authenticators change their code when the seconds since 1970 pass a multiple of the period. */
export function secondsToNextCode(nowMs: number, periodSeconds: number): number {
  return periodSeconds - (Math.floor(nowMs / 1000) % periodSeconds);
}
