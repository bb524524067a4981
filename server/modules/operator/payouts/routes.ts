import { Readable } from 'node:stream';
import { toDecimal } from '@tallystick/contract/money';
import { networkIds } from '@tallystick/contract/networks';
import * as calls from '@tallystick/contract/operator/payouts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../platform/app-error.ts';
import { serve, serveCsv } from '../../../platform/http/serve.ts';
import { streamedCsv } from '../../../platform/http/streaming.ts';
import type { Sheet } from '../../withdrawal/service.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';
import { coinsOn, isToPay, oddToWire, payableToWire, psbtOf, type Read, sheetToWire, uriOf } from './wire.ts';

export function payoutsRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  listRoutes(app, needs);
  sheetRoutes(app, needs);
  fileRoutes(app, needs);
}

/** With the names of everybody that stands on these. */
async function read({ operator, users, config }: ConsoleParts, userIds: string[]): Promise<Read> {
  const [people, names] = await Promise.all([operator.people(userIds), users.operatorNames()]);
  return { people, names, chainIds: config.chainIds };
}

const ownersOf = (sheets: Sheet[]) => sheets.flatMap(({ items }) => items.map(({ userId }) => userId));

function listRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  const { withdrawal, networks } = needs;
  serve(app, 'operator', calls.payouts, async () => {
    const [{ total, withdrawals: payable }, { open, ended }, odd] = await Promise.all([
      withdrawal.payableWithdrawals(),
      withdrawal.sheets(),
      withdrawal.oddPayouts(),
    ]);
    const known = await read(needs, [
      ...payable.map(({ userId }) => userId),
      ...ownersOf([...open, ...ended]),
    ]);
    const ofNetwork = async (network: (typeof networkIds)[number]) => {
      const [price, spendable] = await Promise.all([
        networks.freshPrice(network),
        withdrawal.spendableUnits(network),
      ]);
      return {
        network,
        watched: networks.isWatched(network),
        price: price?.price ?? null,
        spendable: spendable === null ? null : coinsOn(network, spendable),
        withdrawals: payable.filter((row) => row.network === network).map((row) => payableToWire(row, known)),
      };
    };
    return {
      networks: await Promise.all(networkIds.map(ofNetwork)),
      total,
      open: open.map((sheet) => sheetToWire(sheet, known)),
      ended: ended.map((sheet) => sheetToWire(sheet, known)),
      unknown: odd.map(oddToWire),
    };
  });
}

function sheetRoutes(app: FastifyInstance, needs: ConsoleParts): void {
  const { withdrawal } = needs;
  const shown = async (sheet: Sheet) => ({ sheet: sheetToWire(sheet, await read(needs, ownersOf([sheet]))) });

  serve(app, 'operator', calls.makesheet, async ({ body, request }) =>
    shown(
      await withdrawal.makeSheet({
        network: body.network,
        withdrawalIds: body.withdrawals,
        satPerVbyte: body.satpervbyte ?? null,
        actor: actorOf(request),
      }),
    ),
  );

  serve(app, 'operator', calls.onesheet, async ({ params }) =>
    shown(await withdrawal.sheet({ sheetId: params.id })),
  );

  serve(app, 'operator', calls.claimsheet, async ({ params, request }) =>
    shown(await withdrawal.claimSheet({ sheetId: params.id, actor: actorOf(request) })),
  );

  serve(app, 'operator', calls.discardsheet, async ({ params, request }) => {
    await withdrawal.discardSheet({ sheetId: params.id, actor: actorOf(request) });
    return { message: 'The sheet was dropped; its withdrawals wait again.' };
  });

  serve(app, 'operator', calls.releasesheet, async ({ params, body, request }) => {
    const pressed = { sheetId: params.id, reason: body.reason, actor: actorOf(request) };
    const { state } = await withdrawal.releaseSheet(pressed);
    const message =
      state === 'claimed'
        ? 'Noted. A second operator has to say that it was not paid, too.'
        : 'The sheet was released; its withdrawals wait again.';
    return { message, state };
  });

  serve(app, 'operator', calls.keepsheet, async ({ params, request }) => {
    await withdrawal.keepSheet({ sheetId: params.id, actor: actorOf(request) });
    return { message: 'The sheet stays claimed.' };
  });
}

const csvHeads = [
  'Sheet',
  'Withdrawal',
  'Network',
  'Address',
  'Destination tag',
  'Coins',
  'Dollars',
  'Payment URI',
];

/** What a wallet needs is for whoever has claimed to pay it: what nobody has claimed may expire, what has ended is over. */
function fileRoutes(app: FastifyInstance, { withdrawal, config }: ConsoleParts): void {
  async function claimed(sheetId: string): Promise<Sheet> {
    const sheet = await withdrawal.sheet({ sheetId });
    if (sheet.state !== 'claimed') {
      const text =
        sheet.state === 'made'
          ? 'Somebody has to claim this sheet first.'
          : `Nothing is paid by sheet ${sheet.number} any more.`;
      throw new AppError('already_decided', text);
    }
    if (sheet.frozenBecause) throw new AppError('withdrawals_frozen', sheet.frozenBecause);
    return sheet;
  }

  const file = { summary: 'What is left to pay of a claimed sheet, as CSV', filename: 'payout-sheet.csv' };
  serveCsv(app, calls.onesheet, file, async ({ params }) => {
    const sheet = await claimed(params.id);
    return streamedCsv(csvHeads, Readable.from(sheet.items.filter(isToPay)), (item) => [
      sheet.number,
      item.transactionid,
      sheet.network,
      item.address,
      item.tag === null ? null : String(item.tag),
      coinsOn(sheet.network, item.units),
      toDecimal(item.amountCents),
      uriOf(sheet, item, config.chainIds),
    ]);
  });

  app.get(
    `${calls.onesheet.path}/transaction.psbt`,
    {
      schema: {
        summary: 'The unsigned transaction of a claimed sheet, for a wallet to sign',
        tags: ['operator'],
        params: calls.onesheet.params,
      },
    },
    async (request, reply) => {
      const sheet = await claimed((request.params as { id: string }).id);
      if (!sheet.psbt) throw new AppError('not_found', 'This sheet has no transaction.');
      const psbt = psbtOf(sheet);
      if (!psbt) {
        const text =
          'Something on this sheet is paid already, and its transaction would pay that again. Two operators can release it.';
        throw new AppError('already_decided', text);
      }
      reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="payout-sheet-${sheet.number}.psbt"`);
      return psbt;
    },
  );
}
