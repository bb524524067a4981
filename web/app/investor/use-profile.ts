import { viewprofile } from '@tallystick/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiRefusal, callApi } from '../api.ts';
import { logFailure } from '../log.ts';
import { toastFailure } from '../ui/toast.tsx';

/** What the server says of whoever is signed in, for those who need not report it when it says nothing. */
export function useProfileAnswer() {
  return useQuery({
    queryKey: [viewprofile.path],
    queryFn: () => callApi(viewprofile, {}),
    retry: false,
  });
}

/** Who is signed in, from the server. */
export function useProfile() {
  const query = useProfileAnswer();
  const { error } = query;

  useEffect(() => {
    // An ended session is not a failure to report: the guard is already leading to the sign-in.
    if (!error || (error instanceof ApiRefusal && error.code === 'unauthenticated')) return;
    logFailure('Error fetching user profile:', error);
    toastFailure('Error Fetching User Profile');
  }, [error]);

  return query;
}
