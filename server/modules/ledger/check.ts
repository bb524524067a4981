import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { Logger } from '../../platform/logger.ts';
import {
  accountsForCheck,
  type CheckedAccount,
  freeze,
  freezeReason,
  insertCheck,
  lastCheck,
  takeSnapshot,
  unbalancedMovements,
  unfreeze,
} from './check-store.ts';
import { entriesAfter } from './list-store.ts';
import { canonicalText, chainHash, genesisHash } from './rules.ts';

const readAtOnce = 2000;

export interface CheckResult {
  accounts: bigint;
  entries: bigint;
  findings: string[];
}

/** Reads every entry there is and compares what it adds up to with what the accounts say. */
export function createBookCheck({ db, clock, logger }: { db: Db; clock: Clock; logger: Logger }) {
  /** Recomputes one account from its first entry on. Null when all is as it was written. */
  async function checkAccount(
    tx: Tx,
    account: CheckedAccount,
  ): Promise<{ entries: bigint; finding: string | null }> {
    const name = `${account.kind}${account.ownerId ? ` of ${account.ownerId}` : ''}`;
    let seq = 0n;
    let balance = 0n;
    let head: Buffer = genesisHash;
    for (;;) {
      const part = await entriesAfter(tx, account.id, seq, readAtOnce);
      for (const entry of part) {
        balance += entry.amountCents;
        head = chainHash(head, canonicalText({ ...entry, seq: seq + 1n }));
        const intact =
          entry.seq === seq + 1n && balance === entry.balanceAfterCents && head.equals(entry.hash);
        if (!intact) return { entries: seq, finding: `${name}: entry ${seq + 1n} is not as it was written` };
        seq = entry.seq;
      }
      if (part.length < readAtOnce) break;
    }
    const agrees =
      seq === account.entryCount && balance === account.balanceCents && head.equals(account.head);
    return { entries: seq, finding: agrees ? null : `${name}: its entries do not add up to its balance` };
  }

  async function fold(): Promise<CheckResult> {
    return inTransaction(db, async (tx) => {
      await takeSnapshot(tx);
      const accounts = await accountsForCheck(tx);
      const findings: string[] = [];
      let entries = 0n;
      for (const account of accounts) {
        const checked = await checkAccount(tx, account);
        entries += checked.entries;
        if (checked.finding) findings.push(checked.finding);
      }
      const sum = accounts.reduce((total, { balanceCents }) => total + balanceCents, 0n);
      if (sum !== 0n) findings.push(`all accounts together are ${sum} cents instead of zero`);
      for (const id of await unbalancedMovements(tx)) findings.push(`movement ${id} does not balance`);
      return { accounts: BigInt(accounts.length), entries, findings };
    });
  }

  return {
    /** Checks the books, keeps the result, and on a mismatch stops withdrawals and shouts. */
    async checkBooks(): Promise<CheckResult> {
      const result = await fold();
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        await insertCheck(tx, { at: now, ...result });
        const [first] = result.findings;
        if (first === undefined) return;
        logger.error(
          { alert: true, findings: result.findings },
          'the books do not agree: withdrawals are frozen',
        );
        if (!(await freeze(tx, first, now))) return;
        const details = { findings: result.findings };
        await writeAudit(tx, { actor: { kind: 'system' }, action: 'ledger.frozen', details }, now);
      });
      return result;
    },

    /** Why withdrawals are frozen; null when they are not. */
    frozenBecause: ({ tx }: { tx?: Tx } = {}): Promise<string | null> => freezeReason(tx ?? db),

    async unfreeze({ actor, reason }: { actor: Actor; reason: string }): Promise<void> {
      await inTransaction(db, async (tx) => {
        await unfreeze(tx);
        await writeAudit(tx, { actor, action: 'ledger.unfrozen', details: { reason } }, clock.now());
      });
    },

    lastCheck: () => lastCheck(db),
  };
}
