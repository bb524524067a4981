import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import { logTime } from '../../platform/log/outbox.ts';
import type { Tx } from '../../platform/postgres/db.ts';
import { inLongTransaction } from '../../platform/postgres/transactions/long-transaction.ts';
import { newPassphrase, sealedLines } from '../../platform/sealed-file.ts';
import type { Sealer } from '../../platform/sealing.ts';
import { keepOwned, nextKept, nextOwned, nextShares, openOwned, openShares } from './export-store.ts';
import type { ProvingNeeds } from './proving.ts';
import { idOf, pieces } from './rules.ts';
import { createSecrets, createShuffle } from './secret-rules.ts';
import { findStatement, type StatementRow } from './store.ts';
import { amountsOfKept, tileWidth } from './tile-rules.ts';

const atOnce = 1000;

type Secrets = ReturnType<typeof createSecrets>;

/** With what is sealed in the database. */
interface Opened {
  key: Buffer;
  open: Sealer['open'];
}

/** Puts every leaf that is somebody's to its place. */
async function placeLeaves(tx: Tx, { number, depth }: StatementRow, { key, open }: Opened): Promise<void> {
  const shuffle = createShuffle(key, depth);
  await openShares(tx, number);
  for (let shares = await nextShares(tx, atOnce); shares.length > 0; shares = await nextShares(tx, atOnce)) {
    const numbers = shares.flatMap((share) =>
      Array.from({ length: pieces }, (_, piece) => share.number * pieces + piece),
    );
    const places = shuffle.places(Uint32Array.from(numbers));
    const owned = shares.flatMap(({ number: own, email, sealedEmail }, n) =>
      Array.from({ length: pieces }, (_, piece) => ({
        place: places[n * pieces + piece] ?? 0,
        number: own,
        piece,
        email: sealedEmail === null ? email : open(sealedEmail),
      })),
    );
    await keepOwned(tx, owned);
  }
  await openOwned(tx, number);
}

async function* ownedLeaves(tx: Tx) {
  for (let part = await nextOwned(tx, atOnce); part.length > 0; part = await nextOwned(tx, atOnce))
    yield* part;
}

/** The statement, then every leaf in the order of the tree, with all that its hash is made of. */
async function* linesOf(tx: Tx, statement: StatementRow, opened: Opened): AsyncGenerator<string> {
  await placeLeaves(tx, statement, opened);
  const secrets = createSecrets(opened.key);
  const { number, origin, depth, root, owed, at } = statement;
  const told = { origin, number: Number(number), time: logTime(at), depth, root: root.toString('hex') };
  yield JSON.stringify({ kind: 'tallystick/liabilities/v1', ...told, owed: owed.map(String) });
  const owning = ownedLeaves(tx);
  let next = (await owning.next()).value;
  let kept = await nextKept(tx);
  for (let row = 0; row < 2 ** depth / tileWidth; row += 1) {
    const pads = secrets.ofPads(row * tileWidth, tileWidth);
    for (let n = 0; n < tileWidth; n += 1) {
      const index = row * tileWidth + n;
      if (next?.place !== index) {
        yield padLine(index, pads.subarray(32 * n, 32 * (n + 1)));
        continue;
      }
      if (kept?.number !== row) throw new Error('a part of a statement is gone');
      yield leafLine(secrets, next, amountsOfKept(kept.nodes, index).map(String));
      next = (await owning.next()).value;
    }
    if (kept?.number === row) kept = await nextKept(tx);
  }
}

function leafLine(
  secrets: Secrets,
  leaf: { place: number; number: number; piece: number; email: string },
  amounts: string[],
): string {
  const { place: index, piece, email } = leaf;
  const secret = secrets.ofInvestors(leaf.number, 1).toString('hex');
  return JSON.stringify({ index, secret, piece, pieces, amounts, id: String(idOf(email)) });
}

const padLine = (index: number, secret: Buffer) =>
  JSON.stringify({
    index,
    secret: secret.toString('hex'),
    piece: 0,
    pieces: 1,
    amounts: ['0', '0', '0', '0'],
    id: '',
  });

/** For an auditor: all that a statement's tree is made of. It names everybody, so it is sealed and told of. */
export function createExporting({ db, clock, sealer }: Pick<ProvingNeeds, 'db' | 'clock' | 'sealer'>) {
  return {
    /** The passphrase is told once, with the file, and kept nowhere. */
    async exportLiabilities({ number, actor }: { number: bigint; actor: Actor }) {
      const statement = await findStatement(db, number);
      if (!statement) throw new AppError('not_found', 'There is no such statement.');
      const entry = { actor, action: 'books.exported', details: { number: String(number) } };
      await writeAudit(db, entry, clock.now());
      const passphrase = newPassphrase();
      const { open } = sealer;
      const opened = { key: Buffer.from(open(statement.sealedKey), 'hex'), open };
      const file = new PassThrough();
      const sending = inLongTransaction(db, 'proof export', {
        before: async () => {},
        work: (tx) => pipeline(Readable.from(sealedLines(linesOf(tx, statement, opened), passphrase)), file),
      });
      sending.then(
        // Undefined when it is over, null when another is at it.
        (sent) => sent === null && file.destroy(new AppError('busy', 'Another export is under way.')),
        (error) => file.destroy(error),
      );
      return { passphrase, file };
    },
  };
}
