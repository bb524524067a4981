import { viewprofile } from '@tallystick/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi, isSessionOver } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { useSession } from '../../storage.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';

/** Who is signed in, from the server. */
export function useProfile() {
  return useQuery({
    queryKey: [viewprofile.path],
    queryFn: () => callApi(viewprofile, {}, { inTurn: true }),
    retry: false,
  });
}

/**
 * The name as it was at sign-in, until the server has said what it is now. Every screen has one banner that asks for
 * it, and that is where a failure is reported: once, however many parts of the screen need the profile.
 */
export function useFullname(): string {
  const session = useSession();
  const { data, error } = useProfile();

  useEffect(() => {
    if (!error || isSessionOver(error)) return;
    logFailure('Error fetching user profile:', error);
    // The frame says that there is no connection.
    if (navigator.onLine) toastFailure('Error Fetching User Profile');
  }, [error]);

  return data?.fullname ?? session?.fullname ?? '';
}
