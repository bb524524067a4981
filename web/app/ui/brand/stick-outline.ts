export interface StickShape {
  /** Left edge and top edge of the whole stick. */
  x?: number;
  y?: number;
  /** Height of one half, and the air between the two. */
  half: number;
  gap: number;
  upperEnd: number;
  lowerEnd: number;
  /** Half the width of a notch, and how deep it is cut. */
  notchWidth: number;
  notchDepth: number;
  /** The middle of each notch. The lower half has the upper's, unless it is the wrong half. */
  notches: readonly number[];
  lowerNotches?: readonly number[];
  /** The upper half runs out of the picture instead of ending in a slant. */
  bleeds?: boolean;
}

/** How the two halves are cut. */
export function stickOutlines(shape: StickShape): { upper: string; lower: string } {
  return { upper: upperOutline(shape), lower: lowerOutline(shape, shape.lowerNotches ?? shape.notches) };
}

function upperOutline(shape: StickShape): string {
  const { x = 0, y = 0, half, upperEnd, notchWidth, notchDepth, notches, bleeds } = shape;
  const foot = y + half;
  const cuts = [...notches]
    .reverse()
    .map((middle) => `H${middle + notchWidth}L${middle} ${foot - notchDepth}L${middle - notchWidth} ${foot}`);
  return `M${x + 6} ${y}H${upperEnd}L${bleeds ? upperEnd : upperEnd - 6} ${foot}${cuts.join('')}H${x}V${y + 6}A6 6 0 0 1 ${x + 6} ${y}Z`;
}

function lowerOutline(
  { x = 0, y = 0, half, gap, lowerEnd, notchWidth, notchDepth }: StickShape,
  notches: readonly number[],
) {
  const top = y + half + gap;
  const cuts = notches.map(
    (middle) => `H${middle - notchWidth}L${middle} ${top + notchDepth}L${middle + notchWidth} ${top}`,
  );
  return `M${x} ${top}${cuts.join('')}H${lowerEnd}L${lowerEnd - 6} ${top + half}H${x + 6}A6 6 0 0 1 ${x} ${top + half - 6}Z`;
}
