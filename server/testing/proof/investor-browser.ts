import { fetchsingleinvestment, type Investment } from '@tallystick/contract/investment';
import { type ChainEntry, entries, investorAccounts } from '@tallystick/contract/ledger';
import { entries as logEntries, mine, state } from '@tallystick/contract/proof';
import { hexOf } from '@tallystick/verify/bytes';
import { openCheckpoint } from '@tallystick/verify/note';
import {
  checkProofFile,
  type ProofFile,
  readProofFile,
  type Step,
  writeProofFile,
} from '@tallystick/verify/proof-file';
import { consistencyFrom, inclusionFrom, type ReadTile } from '@tallystick/verify/tiles';
import { call, tryCall } from '../call.ts';
import { type Person, signIn } from '../people.ts';
import type { TestApp } from '../start-app.ts';

/** An investor's browser as an outsider would write it: it asks the server, and checks with the verifier alone. */

/** What a browser keeps from one look to the next. */
export interface Remembered {
  checkpoint: string;
  heads: Record<(typeof investorAccounts)[number], { seq: number; hash: string } | null>;
}

const cents = (wire: number) => BigInt(Math.round(wire * 100));
const lineOf = ({ amount, balanceafter, ...line }: ChainEntry) => ({
  ...line,
  amountCents: cents(amount),
  balanceAfterCents: cents(balanceafter),
});
const termsOf = (one: Investment) => ({
  transactionid: one.investmentransactionid,
  plan: one.planname,
  amountCents: cents(one.investinvestmemntamount),
  points: Math.round(one.roi * 100),
  days: one.duration,
  profitCents: cents(one.profit),
  openedAt: one.openedat,
  maturesAt: one.maturesat,
  settledAt: one.settledat,
});

export const logOf =
  (test: TestApp): ReadTile =>
  async (path) => {
    const { statusCode, rawPayload } = await test.app.inject({ url: `/log/${path}` });
    if (statusCode !== 200) throw new Error(`/log/${path} answered ${statusCode}`);
    return new Uint8Array(rawPayload);
  };

interface Looking {
  /** The log that this browser is shown. */
  read?: ReadTile;
  remembered?: Remembered | null;
  /** What a lying server makes of the proof before it sends it. */
  altered?: (file: ProofFile) => ProofFile;
}

async function gatherProof(test: TestApp, person: Person, looking: Looking): Promise<ProofFile> {
  const who = await signIn(test, person);
  const { read = logOf(test), remembered = null } = looking;
  const told = await call(test, state, {});
  const checkpoint = new TextDecoder().decode(await read('checkpoint'));
  const head = openCheckpoint(checkpoint, told.vkey);
  if ('wrong' in head) throw new Error(head.wrong);
  const accounts = await Promise.all(
    investorAccounts.map(async (account) => {
      const chain = await call(test, entries, { as: who, query: { account, limit: 1000 } });
      const known = remembered?.heads[account] ?? null;
      return [account, { account: chain.head.account, known, lines: chain.entries.map(lineOf) }] as const;
    }),
  );
  const [books] = (await call(test, logEntries, { query: { kind: 'books', limit: 1 } })).entries;
  const own = await tryCall(test, mine, { as: who });
  const included =
    books && (await inclusionFrom(read, { index: books.place, size: head.size, root: head.root }));
  const params = { userid: who.userid };
  return {
    format: 'tallystick/proof/v1',
    saved: test.clock.now().toISOString(),
    vkey: told.vkey,
    witnesses: told.witnesses.map(({ vkey }) => vkey),
    checkpoint,
    known: remembered && {
      checkpoint: remembered.checkpoint,
      consistency: await grown(read, remembered, head, told.vkey),
    },
    entry: books
      ? { ...books, inclusion: included && !('wrong' in included) ? included.proof.map(hexOf) : [] }
      : null,
    liabilities:
      'answer' in own && own.answer ? { secret: own.answer.secret, pieces: own.answer.pieces } : null,
    accounts: Object.fromEntries(accounts) as ProofFile['accounts'],
    investments: (await call(test, fetchsingleinvestment, { as: who, params })).investment.map(termsOf),
  };
}

async function grown(
  read: ReadTile,
  { checkpoint }: Remembered,
  { size, root }: { size: number; root: Uint8Array },
  vkey: string,
): Promise<string[]> {
  const old = openCheckpoint(checkpoint, vkey);
  if ('wrong' in old || old.size > size) return [];
  const proof = await consistencyFrom(read, {
    oldSize: old.size,
    oldRoot: old.root,
    newSize: size,
    newRoot: root,
  });
  return 'wrong' in proof ? [] : proof.proof.map(hexOf);
}

/** What was sent is not even the shape of a proof. */
export class NoProof extends Error {}

/** One look: the proof is saved as a file, read again and checked. */
export async function look(
  test: TestApp,
  who: Person,
  { altered = (file) => file, ...looking }: Looking = {},
): Promise<{ steps: Step[]; broken: Step['name'][]; remembered: Remembered }> {
  const file = readProofFile(writeProofFile(altered(await gatherProof(test, who, looking))));
  if ('wrong' in file) throw new NoProof(file.wrong);
  const steps = checkProofFile(file, who.email, { vkey: null, witnesses: null });
  const headOf = (kind: (typeof investorAccounts)[number]) => {
    const line = file.accounts[kind].lines.at(-1);
    return line ? { seq: line.seq, hash: line.hash } : null;
  };
  return {
    steps,
    broken: steps.filter(({ state: found }) => found === 'broken').map(({ name }) => name),
    remembered: {
      checkpoint: file.checkpoint,
      heads: { wallet: headOf('wallet'), invested: headOf('invested'), withdrawing: headOf('withdrawing') },
    },
  };
}
