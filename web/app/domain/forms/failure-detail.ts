import { ApiRefusal, ApiUnreachable } from '../../api.ts';

/** What stands beneath the catalogue's words: the server's own reason, that it failed, or that it was never reached. */
export function failureDetail(error: unknown): string | undefined {
  if (error instanceof ApiUnreachable) return 'The server could not be reached. Please try again.';
  if (error instanceof ApiRefusal && error.message) return error.message;
  return undefined;
}
