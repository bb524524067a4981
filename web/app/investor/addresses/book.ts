import { type SavedAddress, savedaddresses } from '@tallystick/contract/addresses';
import { networks } from '@tallystick/contract/networks';
import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../domain/live.ts';
import { useAct } from '../security/act.ts';

export const useAddressBook = () => useLive(savedaddresses, {}, 'Error fetching the saved addresses:');

/** After every change the book is read anew. */
export function useRereadBook(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [savedaddresses.path] });
}

/** What a press does to the book. */
export const useBookAct = () => useAct(useRereadBook());

export const networkText = ({ network, tag }: Pick<SavedAddress, 'network' | 'tag'>) =>
  tag === null ? networks[network].name : `${networks[network].name}, destination tag ${tag}`;
