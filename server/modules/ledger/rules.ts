import { createHash, randomInt, randomUUIDv7 } from 'node:crypto';
import type { Cents } from '@tallystick/contract/money';

const investorAccountKinds = ['wallet', 'invested', 'withdrawing'] as const;
type InvestorAccountKind = (typeof investorAccountKinds)[number];
type HouseAccountKind = 'clearing' | 'payouts' | 'returns' | 'corrections';
export type AccountKind = InvestorAccountKind | HouseAccountKind;

/** Which account is meant: an investor's by user id, a clearing account by payment method, the house's by its kind. */
export interface AccountRef {
  kind: AccountKind;
  ownerId: string | null;
}

export interface Account extends AccountRef {
  id: string;
  balanceCents: Cents;
  entryCount: bigint;
  head: Buffer;
  lastEntryAt: Date | null;
}

interface Posting {
  account: AccountRef;
  amountCents: Cents;
  /** What an investor reads as the entry's funding type. */
  label: string;
}

export interface Movement {
  id: string;
  transactionid: string;
  kind: string;
  at: Date;
  reference: string | null;
  reason: string | null;
  postings: Posting[];
}

/** A movement with its postings, of which the caller need not name what the ledger gives by itself. */
export function movement(
  input: Pick<Movement, 'kind' | 'at' | 'postings'> & {
    transactionid?: string;
    reference?: string;
    reason?: string;
  },
): Movement {
  const { transactionid = newTransactionId(), reference = null, reason = null, ...rest } = input;
  return { id: randomUUIDv7(), transactionid, reference, reason, ...rest };
}

export interface Entry {
  accountId: string;
  seq: bigint;
  movementId: string;
  at: Date;
  label: string;
  amountCents: Cents;
  balanceBeforeCents: Cents;
  balanceAfterCents: Cents;
  hash: Buffer;
}

/** How far back a clock may be from the entry before it. */
const clockMsMax = 60_000;

export const genesisHash = Buffer.alloc(32);

/**
 * What is hashed for an entry, after the hash of the one before it. Documented in docs/money.md: an investor can
 * write it down from their own list and must come to the same hash.
 */
export function canonicalText(
  entry: Omit<Entry, 'hash' | 'movementId' | 'balanceBeforeCents'> & { transactionid: string },
): string {
  return [
    'tallystick entry 1',
    entry.accountId,
    String(entry.seq),
    entry.at.toISOString(),
    entry.transactionid,
    entry.label,
    String(entry.amountCents),
    String(entry.balanceAfterCents),
  ].join('\n');
}

export function chainHash(previous: Buffer, text: string): Buffer {
  return createHash('sha256')
    .update(`${previous.toString('hex')}\n${text}`)
    .digest();
}

/** The first eight digits of the hash, in two groups: short enough to compare by eye. */
export function recordCode(hash: Buffer): string {
  const hex = hash.toString('hex');
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)}`;
}

export interface EntryFilter {
  /** A part of the label, whatever its case. */
  search: string | undefined;
  label: string | undefined;
}

/** Which of an account's labels a filter lets through; null when it lets everything through. */
export function labelsMatching(labels: string[], { search, label }: EntryFilter): string[] | null {
  if (!search && !label) return null;
  const part = search?.toLowerCase() ?? '';
  return labels.filter((each) => each.toLowerCase().includes(part) && (!label || each === label));
}

/** No 0, O, 1, I, L or U: what is read aloud or copied by hand stays what it is. */
const idAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newTransactionId(): string {
  const group = () => Array.from({ length: 4 }, () => idAlphabet[randomInt(idAlphabet.length)]).join('');
  return `TS-${group()}-${group()}`;
}

export const accountKey = ({ kind, ownerId }: AccountRef): string => `${kind}:${ownerId ?? ''}`;
const mayOwe = (kind: AccountKind) => !investorAccountKinds.some((each) => each === kind);

/**
 * The accounts that a batch has locked, as they change while the batch is decided. Pure: it knows nothing of the
 * database that it was read from and will be written to.
 */
export class Book {
  readonly movements: Movement[] = [];
  readonly entries: Entry[] = [];
  readonly #accounts: Map<string, Account>;

  constructor(accounts: Account[]) {
    this.#accounts = new Map(accounts.map((account) => [accountKey(account), { ...account }]));
  }

  balanceOf(ref: AccountRef): Cents {
    return this.#account(ref).balanceCents;
  }

  /** The accounts that have entries to be written, as they are after them. */
  changedAccounts(): Account[] {
    const changed = new Set(this.entries.map((entry) => entry.accountId));
    return [...this.#accounts.values()].filter((account) => changed.has(account.id));
  }

  /** Posts all of a movement, or nothing when an investor's account would go below zero. */
  post(movement: Movement): 'posted' | 'short' {
    const { postings } = movement;
    if (postings.length < 2 || postings.some(({ amountCents }) => amountCents === 0n)) {
      throw new Error('a movement needs two postings or more, none of them zero');
    }
    if (postings.reduce((sum, { amountCents }) => sum + amountCents, 0n) !== 0n) {
      throw new Error('a movement does not balance');
    }
    if (this.#wouldOwe(postings)) return 'short';
    // Entries of an account are in the order of time, even when two servers' clocks are not.
    const times = postings.map(({ account }) => this.#account(account).lastEntryAt?.getTime() ?? 0);
    const latest = Math.max(...times);
    // A little apart is two servers' clocks; much is a broken one, whose time must not spread through the journal.
    if (latest - movement.at.getTime() > clockMsMax)
      throw new Error('an account has an entry from the future');
    const at = new Date(Math.max(movement.at.getTime(), latest));
    this.movements.push({ ...movement, at });
    for (const posting of postings) this.#append({ ...movement, at }, posting);
    return 'posted';
  }

  #account(ref: AccountRef): Account {
    const account = this.#accounts.get(accountKey(ref));
    if (!account) throw new Error(`the account ${accountKey(ref)} was not loaded`);
    return account;
  }

  #wouldOwe(postings: Posting[]): boolean {
    const after = new Map<string, Cents>();
    return postings.some(({ account: ref, amountCents }) => {
      const account = this.#account(ref);
      const balance = (after.get(account.id) ?? account.balanceCents) + amountCents;
      after.set(account.id, balance);
      return balance < 0n && !mayOwe(account.kind);
    });
  }

  #append(movement: Movement, { account: ref, amountCents, label }: Posting): void {
    const account = this.#account(ref);
    const entry = {
      accountId: account.id,
      seq: account.entryCount + 1n,
      movementId: movement.id,
      at: movement.at,
      label,
      amountCents,
      balanceBeforeCents: account.balanceCents,
      balanceAfterCents: account.balanceCents + amountCents,
    };
    const hash = chainHash(account.head, canonicalText({ ...entry, transactionid: movement.transactionid }));
    this.entries.push({ ...entry, hash });
    account.balanceCents = entry.balanceAfterCents;
    account.entryCount = entry.seq;
    account.head = hash;
    account.lastEntryAt = movement.at;
  }
}
