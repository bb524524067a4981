/** An entry of the public log, as `docs/trust.md` describes it: its kind, then lines of a name, a space and the rest. */
export interface LogText {
  kind: string;
  lines: readonly (readonly [name: string, rest: string])[];
}

export function readLogText(text: string): LogText {
  const [kind = '', ...lines] = text.replace(/\n$/, '').split('\n');
  return {
    kind,
    lines: lines.map((line) => {
      const end = line.indexOf(' ');
      return end < 0 ? ([line, ''] as const) : ([line.slice(0, end), line.slice(end + 1)] as const);
    }),
  };
}

/** What stands behind a name that a kind of entry has once. */
export function lineOf({ kind, lines }: LogText, name: string): string {
  const found = lines.find(([one]) => one === name);
  if (!found) throw new Error(`${kind} has no line ${name}`);
  return found[1];
}

/** All lines of a name, in their order, each cut at its spaces into so many parts; the last keeps the spaces left. */
export function partsOf({ lines }: LogText, name: string, count: number): string[][] {
  return lines
    .filter(([one]) => one === name)
    .map(([, rest]) => {
      const words = rest.split(' ');
      return [...words.slice(0, count - 1), words.slice(count - 1).join(' ')];
    });
}
