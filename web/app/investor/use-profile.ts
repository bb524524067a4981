import { viewprofile } from '@tallystick/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi, isSessionOver } from '../api.ts';
import { logFailure } from '../log.ts';
import { toastFailure } from '../ui/toast.tsx';

/** Who is signed in, from the server. */
export function useProfile() {
  const query = useQuery({
    queryKey: [viewprofile.path],
    queryFn: () => callApi(viewprofile, {}, { inTurn: true }),
    retry: false,
  });
  const { error } = query;

  useEffect(() => {
    if (!error || isSessionOver(error)) return;
    logFailure('Error fetching user profile:', error);
    toastFailure('Error Fetching User Profile');
  }, [error]);

  return query;
}
