import type { Witness } from '@tallystick/contract/proof';
import { type Amounts, type Books, parseBooks } from '@tallystick/verify/books';
import { openCheckpoint } from '@tallystick/verify/note';
import { isWrong } from '@tallystick/verify/plain';
import { idOf, type Step } from '@tallystick/verify/proof-file';
import { accountKinds } from '@tallystick/verify/proof-shape';
import type { AccountKind, Gathered, OtherKey } from './gather.ts';

/** What the screen says about a proof beside its five steps. */
export interface ShownProof {
  steps: Step[];
  /** Null where there is no statement, or none that can be read. */
  statement: { number: number; time: string; depth: number; place: number; owed: Amounts } | null;
  /** What the statement counts as the reader's; null unless it was found to the cent. */
  mine: Amounts | null;
  pieces: number;
  entryCounts: Record<AccountKind, number>;
  /** Entries that are younger than the statement. */
  newer: number;
  size: number | null;
  knownSize: number | null;
  cosigners: { name: string; at: string; isSample: boolean }[];
  witnesses: Witness[];
  otherKey: OtherKey | null;
  stopped: string | null;
}

export function shownProof(gathered: Gathered, checked: readonly Step[], email: string): ShownProof {
  const { file, checkpoint, witnesses, stopped } = gathered;
  const statement = statementOf(gathered);
  const steps = checked.map((step) => inWords(step, gathered, email));
  const isFound = steps.some(({ name, state }) => name === 'leaf' && state === 'holds');
  const known = file.known && openCheckpoint(file.known.checkpoint, file.vkey);
  const times = accountKinds.flatMap((kind) => file.accounts[kind].lines.map(({ at }) => Date.parse(at)));
  return {
    steps,
    statement,
    mine: isFound ? sumOfPieces(gathered) : null,
    pieces: file.liabilities?.pieces.length ?? 0,
    entryCounts: {
      wallet: file.accounts.wallet.lines.length,
      invested: file.accounts.invested.lines.length,
      withdrawing: file.accounts.withdrawing.lines.length,
    },
    newer: statement ? times.filter((time) => time > Date.parse(statement.time)).length : 0,
    size: checkpoint && !isWrong(checkpoint) ? checkpoint.size : null,
    knownSize: known && !isWrong(known) ? known.size : null,
    cosigners: cosignersOf(gathered),
    witnesses,
    otherKey: gathered.otherKey,
    stopped,
  };
}

function statementOf({ file: { entry } }: Gathered): ShownProof['statement'] {
  const books = entry && parseBooks(entry.text);
  if (!entry || !books || isWrong(books)) return null;
  const { number, time, depth, owed }: Books = books;
  return { number, time, depth, owed, place: entry.place };
}

function sumOfPieces({ file: { liabilities } }: Gathered): Amounts {
  const sum: Amounts = [0n, 0n, 0n, 0n];
  for (const { amounts } of liabilities?.pieces ?? []) {
    for (const kind of sum.keys()) sum[kind] = (sum[kind] ?? 0n) + BigInt(amounts[kind] ?? 0);
  }
  return sum;
}

function cosignersOf({ file, witnesses }: Gathered): ShownProof['cosigners'] {
  const opened = openCheckpoint(file.checkpoint, file.vkey, file.witnesses);
  if (isWrong(opened)) return [];
  return opened.cosigned.map(({ name, time }) => ({
    name,
    at: new Date(time * 1000).toISOString(),
    isSample: witnesses.some((witness) => witness.name === name && witness.sample),
  }));
}

/** What the verifier cannot know: that nothing was signed yet, who asked, and which witness is only a sample. */
function inWords(step: Step, gathered: Gathered, email: string): Step {
  const { checkpoint, otherKey, madeFor } = gathered;
  if (checkpoint === null && step.name !== 'chains') {
    return {
      ...step,
      state: 'unchecked',
      says: 'The public log has not begun yet.',
      why: 'Nothing in it was signed so far. Look again in a minute.',
    };
  }
  if (step.name === 'leaf' && checkpoint && isWrong(checkpoint)) {
    return {
      ...step,
      state: 'unchecked',
      says: 'Your money was not looked for in the total.',
      why: 'The total stands in the log, and that is not signed as it must be.',
    };
  }
  if (otherKey && step.state === 'broken' && step.name !== 'chains') {
    return { ...step, why: 'It is signed with another key than this browser knew.' };
  }
  if (step.name === 'leaf' && step.state === 'broken' && madeFor !== null && madeFor !== idOf(email)) {
    return {
      ...step,
      why: 'The server shows you a place that was made for another e-mail address than yours.',
    };
  }
  const statement = statementOf(gathered);
  if (step.name === 'leaf' && step.state === 'unchecked' && statement && !gathered.file.liabilities) {
    return {
      ...step,
      says: `Nothing was owed to you at the time of statement ${statement.number}, so nothing was looked for.`,
      why: 'Once there is money in your account, the next statement has it, and it is found here.',
    };
  }
  if (
    step.name === 'witnesses' &&
    step.state === 'holds' &&
    cosignersOf(gathered).every(({ isSample }) => isSample)
  ) {
    return {
      ...step,
      state: 'unchecked',
      says: 'Only the sample witness of this demo has signed the log.',
      why: 'It runs beside the server and shows how a witness works. It proves nothing.',
    };
  }
  return step;
}
