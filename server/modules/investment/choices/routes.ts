import * as calls from '@tallystick/contract/investment';
import { type Cents, roiToWire, toWire } from '@tallystick/contract/money';
import type { FastifyInstance } from 'fastify';
import { identityOf, ownUserId } from '../../../platform/http/identity.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { PlanRow } from '../plan-store.ts';
import type { Investments } from '../service.ts';
import type { WithMaturity } from './choices.ts';
import { amountFor, closesAt, noTermsWords, toldMs } from './rules.ts';

const termsToWire = (plan: PlanRow, amountCents: Cents, profitCents: Cents) => ({
  planid: plan.id,
  planname: plan.planname,
  amount: toWire(amountCents),
  profit: toWire(profitCents),
  duration: plan.durationDays,
  roi: roiToWire(plan.roiPoints),
});

type Terms = Awaited<ReturnType<Investments['maturityTerms']>>;

const offerToWire = ({ investment, offered }: Terms, { choice, terms }: Terms['offers'][number]) => ({
  choice,
  terms: 'planId' in terms && offered ? termsToWire(offered, terms.amountCents, terms.profitCents) : null,
  towallet: toWire(investment.amountCents + investment.profitCents - amountFor(choice, investment)),
  reason: 'because' in terms ? noTermsWords[terms.because] : null,
});

export function choiceRoutes(
  app: FastifyInstance,
  investment: Investments,
  investmentToWire: (row: WithMaturity) => calls.Investment,
): void {
  serve(app, 'investor', calls.maturityterms, async ({ params, request }) => {
    const { userId } = identityOf(request);
    const terms = await investment.maturityTerms({ userId, investmentId: params.investmentid });
    const { reinvestable, maturesAt } = terms.investment;
    return {
      offered: reinvestable,
      closesat: closesAt(maturesAt).toISOString(),
      tellsat: new Date(maturesAt.getTime() - toldMs).toISOString(),
      opensat: maturesAt.toISOString(),
      offers: reinvestable ? terms.offers.map((offer) => offerToWire(terms, offer)) : [],
    };
  });

  serve(app, 'investor', calls.choosematurity, async ({ body, request }) => {
    const { investmentid: investmentId, choice, planid: planId, amount: amountCents } = body;
    const userId = ownUserId(request, body.userid);
    const { clientAddress } = request;
    const row = await investment.chooseMaturity({
      userId,
      investmentId,
      choice,
      planId,
      amountCents,
      clientAddress,
    });
    return { investment: investmentToWire(row) };
  });
}
