import { createHash } from 'node:crypto';
import type { ErrorCode } from '@tallystick/contract/errors';
import type { Context } from '../../context.ts';
import { AppError } from '../../platform/app-error.ts';
import { type correcting, goodAddress, operator } from '../money.ts';
import type { Command, Outcome, Wish } from './model.ts';

/** The verbs that are judged, and the people and things of this sequence by their ids. */
export interface Stage extends Pick<Context, 'funding' | 'investment' | 'withdrawal'> {
  correct: ReturnType<typeof correcting>;
  /** Pays all that is due. */
  settle(): Promise<void>;
  people: string[];
  plans: string[];
  withdrawalMethod: string;
}

export interface Played {
  outcome: Outcome;
  /** What the caller was told: the row, or the refusal. */
  answer: unknown;
}

const outcomes: Partial<Record<ErrorCode, Outcome>> = {
  insufficient_funds: 'short',
  outside_range: 'outside',
  already_decided: 'decided',
  not_found: 'unknown',
  key_reused: 'reused',
  too_many_requests: 'many',
  choice_closed: 'closed',
  exit_refused: 'refused',
  terms_changed: 'changed',
};
/** Each command names a payment of its own. */
const txidOf = (key: string) => createHash('sha256').update(key).digest('hex');
const nobodys = '00000000-0000-4000-8000-000000000000';

/**
 * Sends the model's commands to the real verbs and says in the model's words how they ended. Players on two servers share
 * the withdrawals and investments that were made, by the key they were asked for with.
 */
export function createPlayer(stage: Stage, made = new Map<string, string>()) {
  const { funding, investment, withdrawal, people, plans } = stage;
  const actor = operator();
  const person = (who: number) => people[who] ?? nobodys;

  async function deposit(key: string, who: number, amountCents: bigint) {
    const request = { userId: person(who), paymentname: 'Bitcoin', amountCents, idempotencyKey: key };
    const { id: requestId } = await funding.askForFunding(request);
    const payment = { chainTxid: txidOf(key), chainOutput: 0 };
    const confirmation = { requestId, receivedCents: amountCents, ...payment, actor, idempotencyKey: key };
    return funding.confirmFunding(confirmation);
  }

  async function withdraw(key: string, who: number, amountCents: bigint) {
    const row = await withdrawal.askForWithdrawal({
      userId: person(who),
      methodId: stage.withdrawalMethod,
      amountCents,
      address: goodAddress.Bitcoin,
      idempotencyKey: key,
    });
    made.set(key, row.id);
    return row;
  }

  async function invest(wish: Parameters<typeof investment.makeInvestment>[0]) {
    const row = await investment.makeInvestment(wish);
    made.set(wish.idempotencyKey ?? '', row.id);
    return row;
  }

  /** As the screen does it: the terms are looked at, and sent along. */
  async function choose({ who, target, choice }: Extract<Wish, { do: 'choose' }>) {
    const which = { userId: person(who), investmentId: made.get(target) ?? nobodys };
    const { offers } = await investment.maturityTerms(which);
    const terms = offers.find((offer) => offer.choice === choice)?.terms;
    const shown = terms && 'planId' in terms ? { planId: terms.planId, amountCents: terms.amountCents } : {};
    await investment.chooseMaturity({ ...which, choice, ...shown, clientAddress: '203.0.113.9' });
    return choice;
  }

  async function tellAndSettle() {
    await investment.tellMaturities();
    return stage.settle();
  }

  function perform({ key, wish }: Command): Promise<unknown> {
    const idempotencyKey = key;
    switch (wish.do) {
      case 'deposit':
        return deposit(key, wish.who, BigInt(wish.cents));
      case 'withdraw':
        return withdraw(key, wish.who, BigInt(wish.cents));
      case 'invest': {
        const amountCents = BigInt(wish.cents);
        const planId = plans[wish.plan] ?? nobodys;
        return invest({ userId: person(wish.who), planId, amountCents, idempotencyKey });
      }
      case 'exit': {
        const investmentId = made.get(wish.target) ?? nobodys;
        const payoutCents = BigInt(wish.cents);
        return investment.exitInvestment({
          userId: person(wish.who),
          investmentId,
          payoutCents,
          idempotencyKey,
        });
      }
      case 'choose':
        return choose(wish);
      case 'correct': {
        const amountCents = BigInt(wish.cents);
        const reason = 'Posted to the wrong wallet.';
        return stage.correct({ userId: person(wish.who), amountCents, reason, idempotencyKey });
      }
      case 'settle':
        return tellAndSettle();
      case 'cancel': {
        const withdrawalId = made.get(wish.target) ?? nobodys;
        return withdrawal.cancelWithdrawal({ userId: person(wish.who), withdrawalId, idempotencyKey });
      }
      default: {
        const step = { withdrawalId: made.get(wish.target) ?? nobodys, actor, idempotencyKey };
        if (wish.do === 'approve') return withdrawal.approveWithdrawal(step);
        if (wish.do === 'pay') return withdrawal.markWithdrawalPaid({ ...step, chainTxid: txidOf(key) });
        return withdrawal.rejectWithdrawal({ ...step, reason: 'Not now.' });
      }
    }
  }

  return async (command: Command): Promise<Played> => {
    try {
      return { outcome: 'done', answer: await perform(command) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const outcome = outcomes[error.code];
      if (!outcome) throw error;
      return { outcome, answer: [error.code, error.message] };
    }
  };
}
