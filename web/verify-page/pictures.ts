import type { Step } from '@tallystick/verify/proof-file';

/** A small picture for each step. What the reader's own is drawn in the accent; where it breaks, a cross stands there. */
const frame = (drawn: string) =>
  `<svg viewBox="0 0 132 88" aria-hidden="true" focusable="false">${drawn}</svg>`;
const cross = (x: number, y: number) => `<path class="p-cross" d="M${x - 8} ${y - 8}l16 16m0-16l-16 16"/>`;
const box = (x: number, y: number, width: number, height: number, name = 'p-box') =>
  `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="4"/>`;

const links = [0, 1, 2]
  .map(
    (row) =>
      [0, 1, 2, 3].map((at) => box(6 + at * 32, 8 + row * 28, 22, 16, 'p-mine')).join('') +
      `<path class="p-way" d="M28 ${16 + row * 28}h10m22 0h10m22 0h10"/>`,
  )
  .join('');

const tree = [
  '<path class="p-line" d="M66 16L34 44M34 44L18 72M34 44L50 72M98 44L114 72"/>',
  '<path class="p-way" d="M66 16L98 44L82 72"/>',
  [18, 50, 114].map((x) => `<circle class="p-box" cx="${x}" cy="72" r="8"/>`).join(''),
  '<circle class="p-box" cx="34" cy="44" r="9"/><circle class="p-mine" cx="98" cy="44" r="9"/>',
  '<circle class="p-mine" cx="82" cy="72" r="8"/><circle class="p-mine" cx="66" cy="16" r="11"/>',
].join('');

const pages = [0, 1, 2, 3, 4]
  .map((row) => box(16, 5 + row * 16, 100, 12, row === 3 ? 'p-mine' : 'p-box'))
  .join('');

const grown = [
  box(6, 12, 74, 20, 'p-mine'),
  box(6, 52, 120, 20),
  box(6, 52, 74, 20, 'p-mine'),
  '<path class="p-way" d="M6 32v20M80 32v20"/>',
].join('');

const seals = [
  box(40, 6, 52, 34),
  '<path class="p-line" d="M50 18h32m-32 10h22"/>',
  '<path class="p-way" d="M66 40v12M52 40L30 54M80 40l22 14"/>',
  [24, 66, 108].map((x) => `<circle class="p-mine" cx="${x}" cy="66" r="13"/>`).join(''),
].join('');

export const pictures: Record<Step['name'], string> = {
  chains: frame(links + cross(65, 44)),
  leaf: frame(tree + cross(90, 58)),
  log: frame(pages + cross(66, 59)),
  consistency: frame(grown + cross(43, 42)),
  witnesses: frame(seals + cross(66, 66)),
};

const icon = (drawn: string) =>
  `<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawn}</svg>`;

export const stateIcons: Record<Step['state'], string> = {
  holds: icon('<path d="M3 8.5l3.5 3.5L13 4.5"/>'),
  broken: icon('<path d="M8 1.5L15 14H1zM8 6.5v3m0 2v.5"/>'),
  unchecked: icon('<path d="M3 8h10"/>'),
};
