import { hash, randomFillSync, randomUUIDv7 } from 'node:crypto';
import { investorAccounts } from '@tallystick/contract/ledger';
import type { Cents } from '@tallystick/contract/money';
import { isoOf, WrongClock } from '../../platform/clock.ts';
import { AccountMap } from './account-rules.ts';
import type { BorneKey } from './verb/key-rules.ts';

export type InvestorAccountKind = (typeof investorAccounts)[number];
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
  /** The hash of its newest entry, in hexadecimal digits as all hashes here. */
  head: string;
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
  /** Null where no key made it, or one that is kept by itself. */
  bodySha256: string | null;
  postings: Posting[];
}

/** An account as it is after something was posted to it, and what it had before. */
export interface ChangedAccount extends Account {
  headBefore: string;
  balanceBeforeCents: Cents;
  entriesBefore: bigint;
}

/** One that nothing was posted to yet. */
const unchanged = (account: Account): ChangedAccount => ({
  ...account,
  headBefore: account.head,
  balanceBeforeCents: account.balanceCents,
  entriesBefore: account.entryCount,
});

/** What is to be written of a book. */
export interface Posted {
  movements: Movement[];
  entries: Entry[];
  accounts: ChangedAccount[];
}

/** A movement with its postings, of which the caller need not name what the ledger gives by itself. */
export function movement(
  input: Pick<Movement, 'kind' | 'at' | 'postings'> & {
    transactionid?: string;
    reference?: string;
    reason?: string;
    borne?: BorneKey | undefined;
  },
): Movement {
  const {
    transactionid = newTransactionId(),
    kind,
    at,
    reference = null,
    reason = null,
    borne,
    postings,
  } = input;
  const id = borne?.movementId ?? randomUUIDv7();
  return { id, transactionid, kind, at, reference, reason, bodySha256: borne?.bodySha256 ?? null, postings };
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
  hash: string;
}

/** How far back a clock may be from the entry before it. */
const clockMsMax = 60_000;

export const genesisHash = '0'.repeat(64);

/**
 * What is hashed for an entry, after the hash of the one before it. Documented in docs/money.md: an investor can
 * write it down from their own list and must come to the same hash.
 */
export function canonicalText(
  entry: Omit<Entry, 'hash' | 'movementId' | 'balanceBeforeCents'> & { transactionid: string },
): string {
  const { accountId, seq, at, transactionid, label, amountCents, balanceAfterCents } = entry;
  const what = `${transactionid}\n${label}\n${amountCents}\n${balanceAfterCents}`;
  return textOf(accountId, seq, at.toISOString(), what);
}

const textOf = (accountId: string, seq: bigint, moment: string, what: string) =>
  `tallystick entry 1\n${accountId}\n${seq}\n${moment}\n${what}`;

export function chainHash(previous: string, text: string): string {
  return hash('sha256', `${previous}\n${text}`);
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

/** Random bytes are drawn many at once: each drawing costs as much as thousands of them. */
const random = { bytes: new Uint8Array(4096), used: 4096 };
/** Bytes from here on would make the first characters of the alphabet a little more frequent. */
const fairBytes = 256 - (256 % idAlphabet.length);

function randomCharacter(): string {
  for (;;) {
    if (random.used === random.bytes.length) {
      randomFillSync(random.bytes);
      random.used = 0;
    }
    const byte = random.bytes[random.used++] as number;
    if (byte < fairBytes) return idAlphabet[byte % idAlphabet.length] as string;
  }
}

const idGroup = () => randomCharacter() + randomCharacter() + randomCharacter() + randomCharacter();
export const newTransactionId = (): string => `TS-${idGroup()}-${idGroup()}`;

const mayOwe = (kind: AccountKind) => !investorAccounts.includes(kind as InvestorAccountKind);

/**
 * The accounts that a batch has locked, as they change while the batch is decided. Pure: it knows nothing of the
 * database that it was read from and will be written to.
 */
export class Book {
  readonly movements: Movement[] = [];
  readonly entries: Entry[] = [];
  readonly #accounts = new AccountMap<ChangedAccount>();
  /** Those that were posted to. */
  readonly #changed = new Set<ChangedAccount>();
  #wasShort = false;

  constructor(accounts: Account[]) {
    this.load(accounts);
  }

  load(accounts: Account[]): void {
    for (const account of accounts) this.#accounts.set(account, unchanged(account));
  }

  balanceOf(ref: AccountRef): Cents {
    return this.#account(ref).balanceCents;
  }

  /** Whether a movement was not posted, for what its accounts hold. */
  get wasShort(): boolean {
    return this.#wasShort;
  }

  /** What was posted since it was last taken, to be written: with the accounts, as they are after it. */
  take(): Posted {
    const accounts = [...this.#changed];
    this.load(accounts);
    this.#changed.clear();
    return { movements: this.movements.splice(0), entries: this.entries.splice(0), accounts };
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
    if (namesTwoInvestors(postings)) throw new Error('a movement is of one investor');
    const accounts = postings.map(({ account }) => this.#account(account));
    if (wouldOwe(accounts, postings)) {
      this.#wasShort = true;
      return 'short';
    }
    const dated = datedFor(accounts, movement);
    this.movements.push(dated);
    for (let n = 0; n < postings.length; n += 1)
      this.#append(dated, postings[n] as Posting, accounts[n] as ChangedAccount);
    return 'posted';
  }

  #account(ref: AccountRef): ChangedAccount {
    const account = this.#accounts.get(ref);
    if (!account) throw new Error(`the account ${ref.kind}:${ref.ownerId ?? ''} was not loaded`);
    return account;
  }

  #append({ id, at, transactionid }: Movement, posting: Posting, account: ChangedAccount): void {
    const { amountCents, label } = posting;
    const balanceBeforeCents = account.balanceCents;
    const balanceAfterCents = balanceBeforeCents + amountCents;
    const seq = account.entryCount + 1n;
    const what = `${transactionid}\n${label}\n${amountCents}\n${balanceAfterCents}`;
    this.#changed.add(account);
    const hash = chainHash(account.head, textOf(account.id, seq, isoOf(at), what));
    account.balanceCents = balanceAfterCents;
    account.entryCount = seq;
    account.head = hash;
    account.lastEntryAt = at;
    this.entries.push({
      accountId: account.id,
      seq,
      movementId: id,
      at,
      label,
      amountCents,
      balanceBeforeCents,
      balanceAfterCents,
      hash,
    });
  }
}

/**
 * An investor's accounts move against each other or against the house's, never against another's. So all that a movement
 * needs is where its one investor is, be it a database among several (docs/scale.md).
 */
function namesTwoInvestors(postings: Posting[]): boolean {
  let investor: string | null = null;
  for (const { account } of postings) {
    if (mayOwe(account.kind)) continue;
    if (investor !== null && investor !== account.ownerId) return true;
    investor = account.ownerId;
  }
  return false;
}

/** Entries of an account are in the order of time, even when two servers' clocks are not. */
function datedFor(accounts: Account[], movement: Movement): Movement {
  const wanted = movement.at.getTime();
  let latest = wanted;
  for (const { lastEntryAt } of accounts) latest = Math.max(latest, lastEntryAt?.getTime() ?? 0);
  // A little apart is two servers' clocks; much is a broken one, whose time must not spread through the journal.
  if (latest - wanted > clockMsMax) throw new WrongClock('an account has an entry from the future');
  return latest === wanted ? movement : { ...movement, at: new Date(latest) };
}

/** Whether an investor's account would go below zero, an account that is named twice counting as one. */
function wouldOwe(accounts: Account[], postings: Posting[]): boolean {
  return accounts.some((account, index) => {
    if (mayOwe(account.kind)) return false;
    let balance = account.balanceCents;
    for (let n = 0; n <= index; n += 1)
      if (accounts[n] === account) balance += postings[n]?.amountCents ?? 0n;
    return balance < 0n;
  });
}
