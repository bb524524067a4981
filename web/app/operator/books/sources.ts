import { hasOutputs } from '@tallystick/contract/chain';
import { coinOf, type Network, networks } from '@tallystick/contract/networks';
import type { ColdAddress, HeldNetwork } from '@tallystick/contract/operator/books';
import { counted, whenOf } from '../../domain/dates.ts';
import { groupedDecimal } from '../../domain/prices/coin-text.ts';
import type { HeldMethod } from './held-form.tsx';

/** From where a figure is, and how old. */
export interface Line {
  text: string;
  /** Somebody should look. */
  isTrouble?: boolean;
}

const blockText = (height: number): string => `block ${height.toLocaleString('en-US')}`;

const decimalsMax = 8;

/** `1,250.5 XRP`, to the hundred millionth and never more than there is; the file has it exactly. */
export function coinsText({ network, coins }: { network: string; coins: string }): string {
  const [whole = '', fraction = ''] = coins.split('.');
  const shown = fraction.slice(0, decimalsMax).replace(/0+$/, '');
  return `${groupedDecimal(shown ? `${whole}.${shown}` : whole)} ${coinOf(network)?.ticker ?? ''}`.trim();
}

/** Address by address on networks of accounts: then it is the oldest of several readings that is told. */
const asOf = (network: Network): string =>
  networks[network].family === 'evm' ? ', addresses read since' : ' at';

/** What a chain shows, as of which block, and what of that cannot be relied upon at the moment. */
export function readLines(row: HeldNetwork): Line[] {
  const { height, readat, unlooked, state, said, price, priceat, pricefresh } = row;
  const lines: Line[] = [];
  if (height === null || readat === null) lines.push({ text: 'Not read yet.' });
  else lines.push({ text: `${coinsText(row)}${asOf(row.network)} ${blockText(height)}, ${whenOf(readat)}` });
  if (unlooked > 0) {
    const text = `${counted(unlooked, 'address was', 'addresses were')} not looked at yet.`;
    lines.push({ text });
  }
  if (price !== null && priceat !== null && !pricefresh) {
    lines.push({ text: `At the last known price, of ${whenOf(priceat)}.`, isTrouble: true });
  }
  if (state !== null && state !== 'following') {
    lines.push({ text: said ?? 'It is not read at the moment.', isTrouble: true });
  }
  return lines;
}

/** Nobody but who typed it vouches for it. */
export function typedLines({ enteredat, enteredby }: HeldMethod): Line[] {
  if (!enteredat) return [];
  return [{ text: `Typed ${whenOf(enteredat)}${enteredby ? ` by ${enteredby}` : ''}` }];
}

/** From when on a cold address is counted. What an account holds is known whole; coins only from then on. */
export function countedText({ network, fromheight, coinsnamed, height }: ColdAddress): string {
  if (!hasOutputs(network)) {
    return height === null ? 'Not looked at yet.' : `Everything there at ${blockText(height)}.`;
  }
  const since = `Payments from ${blockText(fromheight)} on`;
  return coinsnamed === 0 ? `${since}.` : `${since}, and ${counted(coinsnamed, 'coin')} named before.`;
}
