import { nextmaturity } from '@tallystick/contract/investment';
import { useLive } from '../../domain/live.ts';

export function useNextMaturity() {
  return useLive(nextmaturity, {}, 'Error fetching investment:');
}
