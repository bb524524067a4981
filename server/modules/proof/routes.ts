import { mine, type Statement, statements } from '@tallystick/contract/proof';
import type { FastifyInstance } from 'fastify';
import { identityOf } from '../../platform/http/identity.ts';
import { serve } from '../../platform/http/serve.ts';
import { logTime } from '../../platform/log/outbox.ts';
import type { Amounts } from './rules.ts';
import type { Proof } from './service.ts';
import type { StatementRow } from './store.ts';

/** Written out: an array's map would forget how many there are. */
const amountsToWire = ([wallet, invested, profit, withdrawing]: Amounts): Statement['owed'] => [
  String(wallet),
  String(invested),
  String(profit),
  String(withdrawing),
];

const statementToWire = ({ number, at, place, owed, heldCents, typedCents }: StatementRow): Statement => ({
  number: Number(number),
  time: logTime(at),
  place: place === null ? null : Number(place),
  owed: amountsToWire(owed),
  held: heldCents === null ? null : String(heldCents),
  typed: typedCents === null ? null : String(typedCents),
});

export function proofPublicRoutes(proof: Proof) {
  return async (app: FastifyInstance) => {
    serve(app, 'public', statements, async ({ query, request }) => ({
      statements: (await proof.statements({ ...query, on: request.readDb })).map(statementToWire),
    }));
  };
}

export function proofRoutes(proof: Proof) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', mine, async ({ query, request }) => {
      const { userId } = identityOf(request);
      const number = query.number === undefined ? null : BigInt(query.number);
      const found = await proof.mine({ userId, number, on: request.readDb });
      return {
        ...found,
        number: Number(found.number),
        pieces: found.pieces.map(({ index, amounts, path }) => ({
          index,
          amounts: amountsToWire(amounts),
          path: path.map((node) => ({ hash: node.hash, amounts: amountsToWire(node.amounts) })),
        })),
      };
    });
  };
}
