import type { Sealer } from '../../platform/sealing.ts';
import { type ClosingNeeds, createClosing } from './closing.ts';
import { createDownload, type DownloadNeeds } from './download.ts';

interface AccountNeeds extends ClosingNeeds, DownloadNeeds {
  /** Keeps the address of a closed account for auditors, as the keys of the statements are kept. */
  sealer: Sealer;
  /** The lock of whoever makes a statement of the books, with the addresses in it. */
  statementLock: string;
}

/** What an investor may do with the account as a whole: take everything along, and close it. */
export function createAccount({ sealer, statementLock, ...needs }: AccountNeeds) {
  return {
    ...createDownload(needs),
    ...createClosing(needs),

    /** Once an hour: addresses of closed accounts whose time is over. */
    forgetClosed: () => needs.users.forgetClosed({ seal: sealer.seal, notDuring: statementLock }),
  };
}

export type Account = ReturnType<typeof createAccount>;
