export const sparkSize = { width: 64, height: 32 };

/** The way of a small line from the oldest price to the newest. */
export function sparkPath(points: readonly number[]): string {
  const { width, height } = sparkSize;
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const line = points.map((usd, index) => {
    const x = (index / (points.length - 1)) * width;
    const y = 2 + (1 - (usd - low) / (high - low || 1)) * (height - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${line.join('L')}`;
}
