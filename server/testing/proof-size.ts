/**
 * How often a slow proof is repeated. `npm test` sets `PROOFS=full` and proves at length; whoever is at work gets
 * the short form, which still takes every path of the test.
 */
export function proofRuns(full: number, short: number): number {
  return process.env.PROOFS === 'full' ? full : short;
}
