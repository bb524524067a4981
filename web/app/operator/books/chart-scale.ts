/** The heights a chart draws lines at, from nought to the first round figure that is not below the largest value. */
export function scaleOf(largest: number, steps = 4): number[] {
  if (!(largest > 0)) return [0];
  const raw = largest / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? 10 * power;
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => index * step);
}

/** `$48.9k`, `$1.2m`: for the top of a bar, where the table has the cents. */
export function shortUsd(dollars: number): string {
  if (dollars >= 999_950) return `$${(dollars / 1_000_000).toFixed(1)}m`;
  if (dollars >= 999.5) return `$${(dollars / 1000).toFixed(1)}k`;
  return `$${dollars.toFixed(0)}`;
}

/** The same for a line of the scale, whose figures are round already. */
export function scaleUsd(dollars: number): string {
  const [size, unit] = dollars >= 1_000_000 ? [1_000_000, 'm'] : dollars >= 1000 ? [1000, 'k'] : [1, ''];
  return `$${Number((dollars / size).toFixed(2))}${unit}`;
}
