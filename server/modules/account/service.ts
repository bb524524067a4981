import type { Sealer } from '../../platform/sealing.ts';
import { type ClosingNeeds, createClosing } from './closing.ts';
import { createDownload, type DownloadNeeds } from './download.ts';

interface AccountNeeds extends ClosingNeeds, DownloadNeeds {
  /** Keeps the address of a closed account for auditors, as the keys of the statements are kept. */
  sealer: Sealer;
}

/** What an investor may do with the account as a whole: take everything along, and close it. */
export function createAccount({ sealer, ...needs }: AccountNeeds) {
  return {
    ...createDownload(needs),
    ...createClosing(needs),

    /** Once an hour: addresses of closed accounts whose time is over. */
    forgetClosed: () => needs.users.forgetClosed({ seal: sealer.seal, notDuring: 'proof' }),
  };
}

export type Account = ReturnType<typeof createAccount>;
