import { AppError } from '../../../platform/app-error.ts';
import type { ReadDb } from '../../../platform/postgres/db.ts';
import { firstThatCounts } from '../../../platform/second-operator.ts';
import { inParts } from '../parts.ts';
import type { OperatorNeeds } from '../service.ts';
import {
  addressesOf,
  findInvestor,
  type Period,
  pageOfInvestors,
  statementEntries,
  statementSums,
  withdrawalAddressesOf,
} from './store.ts';

interface Page {
  page: number;
  pageSize: number;
  on?: ReadDb;
}

const toldShownMax = 5;

/** What an operator may see of an investor. There is no way to act as one. */
export function createInvestors({ db, clock, ledger, notices, users, investment }: OperatorNeeds) {
  /** One who was named was seen somewhere: where they have not arrived yet, they are not said to be missing. */
  async function investorOf(userId: string, on: ReadDb = db) {
    const investor = (await findInvestor(on, userId)) ?? (on === db ? null : await findInvestor(db, userId));
    if (!investor) throw new AppError('not_found', 'There is no such investor.');
    return investor;
  }

  return {
    pageOfInvestors({ search, page, pageSize: limit, on = db }: { search?: string } & Page) {
      return pageOfInvestors(on, search, { offset: (page - 1) * limit, limit });
    },

    async investor({ userId }: { userId: string }) {
      const investor = await investorOf(userId);
      const [devices, factors, removal, waiting] = await Promise.all([
        users.devices({ userId, sessionId: null }),
        users.factorsOn({ userId }),
        users.removalOf({ userId }),
        ledger.waitingCorrections(),
      ]);
      return {
        investor,
        devices: devices.length,
        factors,
        removal,
        waitingCorrections: waiting.filter((each) => each.userId === userId).length,
      };
    },

    /** The newest of what they were told, and of what they want no letters. */
    async toldLately({ userId }: { userId: string }) {
      const [off, { notices: told }] = await Promise.all([
        notices.lettersOff({ userId }),
        notices.list({ userId }),
      ]);
      return { off, told: told.slice(0, toldShownMax) };
    },

    /** Who has said the first of two words, unless they are an operator no more. */
    firstThatCounts: (by: string | null) => firstThatCounts(db, by),

    async addresses({ userId, page, pageSize: limit, on = db }: { userId: string } & Page) {
      await investorOf(userId, on);
      return addressesOf(on, userId, { offset: (page - 1) * limit, limit });
    },

    async withdrawalAddresses({ userId, page, pageSize: limit, on = db }: { userId: string } & Page) {
      await investorOf(userId, on);
      return withdrawalAddressesOf(on, userId, { offset: (page - 1) * limit, limit });
    },

    async maturityChoices(asked: { userId: string } & Page) {
      await investorOf(asked.userId, asked.on);
      return investment.pageOfChoices(asked);
    },

    async record({ userId }: { userId: string }) {
      await investorOf(userId);
      return { at: clock.now(), ...(await ledger.checkWallet({ userId })) };
    },

    async statement(input: { userId: string; period: Period } & Page) {
      const { userId, period, page, pageSize: limit, on = db } = input;
      await investorOf(userId, on);
      const range = { below: null, offset: (page - 1) * limit, limit };
      const [sums, entries, labels] = await Promise.all([
        statementSums(on, userId, period),
        statementEntries(on, userId, period, range),
        ledger.labelsOf({ userId, on }),
      ]);
      return { ...sums, entries, labels };
    },

    /** The whole of a period, for a file. */
    wholeStatement: ({ userId, period, on = db }: { userId: string; period: Period; on?: ReadDb }) =>
      inParts(
        (part) => statementEntries(on, userId, period, { ...part, offset: 0 }),
        ({ seq }) => seq,
      ),
  };
}
