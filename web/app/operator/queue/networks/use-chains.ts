import { chains } from '@tallystick/contract/operator/networks';
import { useLive } from '../../../domain/live.ts';

/** Asked once, however many parts of the screen show something of it. */
export const useChains = () => useLive(chains, {}, 'Error fetching the networks:');
