import * as calls from '@tallystick/contract/investment';
import { pagesOf } from '@tallystick/contract/list';
import { roiToWire, toDecimal, toWire } from '@tallystick/contract/money';
import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../platform/clock.ts';
import { identityOf, ownUserId } from '../../platform/http/identity.ts';
import { idempotencyKeyOf, serve, serveCsv } from '../../platform/http/serve.ts';
import { streamedCsv, streamedList } from '../../platform/http/streaming.ts';
import type { Users } from '../users/service.ts';
import type { WithMaturity } from './choices/choices.ts';
import { choiceRoutes } from './choices/routes.ts';
import { asOpened, maturityToWire, maturityWords } from './choices/wire.ts';
import type { PlanRow } from './plan-store.ts';
import { exitOpensAt, exitToWire } from './rules.ts';
import type { Investments } from './service.ts';

const planToWire = (plan: PlanRow): calls.Plan => ({
  _id: plan.id,
  planname: plan.planname,
  from: toWire(plan.fromCents),
  to: toWire(plan.toCents),
  duration: plan.durationDays,
  roi: roiToWire(plan.roiPoints),
  reinvestable: plan.reinvestable,
  exit: exitToWire(plan),
});

const momentOrNull = (at: Date | null) => at && isoOf(at);

const investmentToWire = (row: WithMaturity): calls.Investment => ({
  _id: row.id,
  investmentransactionid: row.transactionid,
  planname: row.planname,
  investinvestmemntamount: toWire(row.amountCents),
  duration: row.durationDays,
  roi: roiToWire(row.roiPoints),
  profit: toWire(row.profitCents),
  status: row.settledAt ? 1 : 0,
  openedat: isoOf(row.openedAt),
  maturesat: isoOf(row.maturesAt),
  settledat: momentOrNull(row.settledAt),
  maturity: maturityToWire(row),
  exitfrom: momentOrNull(exitOpensAt(row)),
  exit: row.left &&
    row.settledAt && {
      at: row.settledAt.toISOString(),
      transactionid: row.settledBy ?? '',
      days: row.left.days,
      profit: toWire(row.left.profitCents),
      fee: toWire(row.left.feeCents),
      paid: toWire(row.left.paidCents),
    },
});

type Quote = Awaited<ReturnType<Investments['exitQuote']>>;
const quoteToWire = ({ investment, terms, validUntil, ...quote }: Quote): calls.ExitQuote => ({
  investmentid: investment.id,
  days: quote.days,
  amount: toWire(investment.amountCents),
  accrued: toWire(quote.accruedCents),
  keeps: roiToWire(terms.keepsPoints),
  kept: toWire(quote.keptCents),
  feepercent: roiToWire(terms.feePoints),
  fee: toWire(quote.feeCents),
  payout: toWire(quote.paidCents),
  profit: toWire(investment.profitCents),
  maturesat: investment.maturesAt.toISOString(),
  validuntil: validUntil.toISOString(),
});

/** The file holds what the list shows, all its pages. */
const ExportQuery = calls.fetchsingleinvestment.query.omit({ page: true });
const csvHeads = [
  'Transaction ID',
  'Plan',
  'Amount',
  'Profit',
  'ROI %',
  'Days',
  'Opened',
  'Matures',
  'Status',
  'Exit fee',
  'At maturity',
];
function statusOf({ left, settledAt }: WithMaturity): string {
  if (left) return 'Left early';
  return settledAt ? 'Completed' : 'Ongoing';
}

const csvFields = (row: WithMaturity) => [
  row.transactionid,
  row.planname,
  toDecimal(row.amountCents),
  toDecimal(row.left?.profitCents ?? row.profitCents),
  roiToWire(row.roiPoints),
  row.durationDays,
  row.openedAt.toISOString(),
  row.maturesAt.toISOString(),
  statusOf(row),
  row.left ? toDecimal(row.left.feeCents) : '',
  maturityWords(row),
];

export function investmentPublicRoutes(investment: Investments) {
  return async (app: FastifyInstance) => {
    serve(app, 'public', calls.fetchallinvestmentmethod, async ({ request }) => ({
      data: (await investment.plans({ on: request.readDb })).map(planToWire),
    }));
  };
}

interface InvestmentRoutesNeeds {
  investment: Investments;
  users: Pick<Users, 'demandStepUp'>;
}

function exitRoutes(app: FastifyInstance, { investment, users }: InvestmentRoutesNeeds): void {
  serve(app, 'investor', calls.exitquote, async ({ params, request }) => {
    const { userId } = identityOf(request);
    return {
      quote: quoteToWire(await investment.exitQuote({ userId, investmentId: params.investmentid })),
    };
  });

  serve(app, 'investor', calls.exitinvestment, async ({ body, request }) => {
    const userId = ownUserId(request, body.userid);
    const row = await investment.exitInvestment({
      userId,
      investmentId: body.investmentid,
      payoutCents: body.payout,
      idempotencyKey: idempotencyKeyOf(request),
      before: () => users.demandStepUp(identityOf(request)),
    });
    const [left] = await investment.withMaturity({ rows: [row] });
    return { investment: investmentToWire(left ?? { ...row, maturity: null }) };
  });
}

export function investmentRoutes({ investment, users }: InvestmentRoutesNeeds) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.makeinvestment, async ({ body, request }) => {
      const row = await investment.makeInvestment({
        userId: ownUserId(request, body.userid),
        planId: body.planid,
        amountCents: body.investinvestmemntamount,
        idempotencyKey: idempotencyKeyOf(request),
      });
      const maturity = asOpened(row, await investment.isReinvestable(row));
      return { investment: investmentToWire({ ...row, maturity }) };
    });

    choiceRoutes(app, investment, investmentToWire);

    exitRoutes(app, { investment, users });

    serve(app, 'investor', calls.fetchsingleinvestment, async ({ params, query, request }) => {
      const userId = ownUserId(request, params.userid);
      const { page, search, status } = query;
      const on = request.readDb;
      if (page === undefined && search === undefined && status === undefined) {
        const all = investment.allInvestments({ userId, search, status: 'all', on });
        return streamedList('investment', all, investmentToWire);
      }
      const filter = { userId, search, status: status ?? 'all', page: page ?? 1, on };
      const { total, investments } = await investment.pageOfInvestments(filter);
      return {
        investment: investments.map(investmentToWire),
        page: filter.page,
        pages: pagesOf(total),
        total,
      };
    });

    serve(app, 'investor', calls.investmentsums, async ({ request }) => {
      const sums = await investment.sums({ userId: identityOf(request).userId, on: request.readDb });
      const { ongoing, completed } = sums;
      return { ongoing, completed, profitdue: toWire(sums.dueCents), profitpaid: toWire(sums.paidCents) };
    });

    serve(app, 'investor', calls.nextmaturity, async ({ request }) => {
      const { userId } = identityOf(request);
      const next = await investment.nextMaturity({ userId, on: request.readDb });
      return { ongoing: next.ongoing, investment: next.investment && investmentToWire(next.investment) };
    });

    const file = { summary: 'The same list as CSV', filename: 'investments.csv', query: ExportQuery };
    serveCsv(app, calls.fetchsingleinvestment, file, async ({ params, query, request }) => {
      const userId = ownUserId(request, params.userid);
      const { search, status = 'all' } = query;
      const all = investment.allInvestments({ userId, search, status, on: request.readDb });
      return streamedCsv(csvHeads, all, csvFields);
    });
  };
}
