import type { ChainNames } from '../../platform/chains/explorer.ts';
import { type Clock, minuteMs } from '../../platform/clock.ts';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import type { Funding } from '../funding/service.ts';
import type { Investments } from '../investment/service.ts';
import type { JournalMovement, Ledger } from '../ledger/service.ts';
import type { PublicLog } from '../log/service.ts';
import type { Contact } from '../mail/service.ts';
import type { Networks } from '../networks/service.ts';
import type { Notices } from '../notices/service.ts';
import type { AddressSigning, Proof } from '../proof/service.ts';
import type { LetterAbout, Users } from '../users/service.ts';
import type { Withdrawals } from '../withdrawal/service.ts';
import { type AuditFilter, auditEntries } from './audit/store.ts';
import { createBooks } from './books/books.ts';
import { createChecklist, type Installation } from './checklist/checklist.ts';
import { createInvestors } from './investors/investors.ts';
import { strayPayments } from './networks/store.ts';
import { inParts } from './parts.ts';
import { createQueue } from './queue/queue.ts';
import { peopleByIds } from './queue/store.ts';

export interface OperatorNeeds {
  db: Db;
  clock: Clock;
  installation: Installation;
  bounds: BoundsRegister;
  ledger: Ledger;
  notices: Notices;
  users: Users;
  investment: Investments;
  funding: Funding;
  networks: Networks;
  log: PublicLog;
}

/** What is told of corrections; the ledger itself knows no letters. */
export function createCorrectionLetters({ ledger }: { ledger: Ledger }) {
  return async (tx: Tx, movements: JournalMovement[]): Promise<LetterAbout[]> => {
    const ours = movements.filter(({ kind }) => kind === 'correction');
    const transactionids = ours.map(({ transactionid }) => transactionid);
    const corrections = await ledger.postedCorrections({ tx, transactionids });
    const named = new Map(corrections.map((correction) => [correction.transactionid, correction]));
    return ours.flatMap(({ number, transactionid, at }) => {
      const correction = named.get(transactionid);
      if (!correction) return [];
      const { userId, amountCents, reason } = correction;
      const told = { amountCents: String(amountCents), reason, transactionid, at: at.toISOString() };
      return [{ number, userId, letter: (fullname) => ({ kind: 'correction-posted', fullname, ...told }) }];
    });
  };
}

/** Of each kind; whoever has more to look at begins with the newest. */
const straysShownMax = 20;

/** What the console reads across the modules. What its buttons do is theirs. */
export function createOperator(needs: OperatorNeeds) {
  const { db } = needs;
  const books = createBooks(needs);
  return {
    ...books,
    ...createQueue({ ...needs, coverage: books.coverage }),
    ...createInvestors(needs),
    ...createChecklist(needs),

    strayPayments: () =>
      strayPayments(db, {
        limit: straysShownMax,
        before: new Date(needs.clock.now().getTime() - minuteMs),
      }),
    people: (ids: string[]) => peopleByIds(db, [...new Set(ids)]),

    /** With whose address each is at. */
    async surpluses() {
      const all = await needs.networks.surpluses();
      const shown = all.slice(0, straysShownMax);
      const owners = shown.flatMap(({ ownerId }) => ownerId ?? []);
      const people = await peopleByIds(db, owners);
      return {
        count: all.length,
        shown: shown.map((row) => ({ ...row, investor: people.get(row.ownerId ?? '') ?? null })),
      };
    },

    auditEntries(input: { filter: AuditFilter; below: bigint | null; limit: number; on?: ReadDb }) {
      const { filter, below, limit, on = db } = input;
      return auditEntries(on, filter, { below, limit });
    },

    /** The whole log, for a file. */
    wholeAudit: ({ filter, on = db }: { filter: AuditFilter; on?: ReadDb }) =>
      inParts(
        (part) => auditEntries(on, filter, part),
        ({ id }) => id,
      ),
  };
}

export type Console = ReturnType<typeof createOperator>;

/** What the pages of the console are made of. */
export interface ConsoleParts
  extends Pick<OperatorNeeds, 'bounds' | 'ledger' | 'users' | 'investment' | 'funding' | 'networks'> {
  operator: Console;
  withdrawal: Withdrawals;
  proof: Proof;
  signing: AddressSigning;
  contact: Contact;
  /** Which chains the networks' names stand for. */
  config: ChainNames;
  siteUrl: string;
}
