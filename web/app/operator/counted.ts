/** `1 entry`, `1,204 entries`: a number and the word that goes with it. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
