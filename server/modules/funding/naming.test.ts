import { describe, expect, it } from 'vitest';
import { refuse, who } from '../../platform/app-error.ts';
import type { Claim, PaymentRow } from '../networks/service.ts';
import {
  type NamedFacts,
  paymentOf,
  refuseClaimed,
  refuseSecond,
  refuseSeen,
  seenAs,
  whyUnseen,
} from './naming.ts';
import type { FundingRow } from './store.ts';

const txid = 'ab'.repeat(32);
const request = {
  transactionid: 'TS-1',
  paymentId: null,
  receivedCents: null,
  chainTxid: null,
  chainOutput: null,
  firstConfirmedBy: null,
} as FundingRow;
const payment = { receivedCents: 5_000n, network: 'bitcoin', chainTxid: txid, chainOutput: 1 } as const;
const factsOf = (facts: Partial<NamedFacts> = {}): NamedFacts => ({
  claims: new Map(),
  seen: new Map(),
  ownerless: new Set(),
  watched: new Set(),
  ...facts,
});

describe('what an operator typed', () => {
  const typed = { receivedCents: 5_000n, chainTxid: ` ${txid.toUpperCase()} `, chainOutput: 1 };
  const atMost = refuse('outside_range', 'One deposit is at most $1,000,000.00.');

  it('is the payment that it names, in its network’s spelling', () => {
    expect(paymentOf(typed, 'bitcoin', request)).toEqual(payment);
    expect(paymentOf({ ...typed, chainOutput: null }, 'xrp', request)).toEqual({
      receivedCents: 5_000n,
      network: 'xrp',
      chainTxid: txid.toUpperCase(),
      chainOutput: null,
    });
  });
  it('is refused where the network is not known, is no id of it, or has no outputs', () => {
    expect(paymentOf(typed, null, request)).toEqual(
      refuse('outside_range', 'The network of this way in is not known.'),
    );
    expect(paymentOf({ ...typed, chainTxid: 'abc' }, 'bitcoin', request)).toEqual(
      refuse('outside_range', 'The id of a Bitcoin transaction is 64 characters, 0 to 9 and a to f.'),
    );
    expect(paymentOf({ ...typed, chainOutput: 0 }, 'xrp', request)).toEqual(
      refuse('outside_range', 'Only a Bitcoin transaction has numbered outputs.'),
    );
    expect(paymentOf({ ...typed, chainOutput: 0 }, 'bitcoin', request)).toMatchObject({ chainOutput: 0 });
  });
  it.each([
    [0n, true],
    [-1n, true],
    [1n, false],
    [100_000_000n, false],
    [100_000_001n, true],
  ])('with %d cents is refused: %o', (receivedCents, isRefused) => {
    const answer = paymentOf({ ...typed, receivedCents }, 'bitcoin', request);
    expect(answer).toEqual(isRefused ? atMost : { ...payment, receivedCents });
  });
  it('may be more than anybody announces only where the chain has shown exactly that', () => {
    const large = { ...typed, receivedCents: 100_000_001n };
    const shown = { ...request, firstConfirmedBy: 'chain', receivedCents: 100_000_001n };
    expect(paymentOf(large, 'bitcoin', shown)).toMatchObject({ receivedCents: 100_000_001n });
    for (const other of [
      { ...shown, receivedCents: 100_000_002n },
      { ...shown, firstConfirmedBy: 'operator' },
    ])
      expect(paymentOf(large, 'bitcoin', other)).toEqual(atMost);
    expect(paymentOf({ ...typed, receivedCents: 0n }, 'bitcoin', { ...shown, receivedCents: 0n })).toEqual(
      atMost,
    );
  });
});

describe('a payment that has its use', () => {
  const claim = {
    network: 'bitcoin',
    txid,
    output: 1,
    use: 'deposit',
    transactionid: 'TS-2',
    final: true,
  } as const;
  const refusal = (...claims: Claim[]) =>
    refuseClaimed(factsOf({ claims: new Map([[txid, claims]]) }), request, payment);

  it('is not credited again, and the other request is named', () => {
    const before = refuse('already_decided', 'This payment was credited before, for TS-2.');
    expect(refusal(claim)).toEqual(before);
    expect(refusal({ ...claim, output: null })).toEqual(before);
    expect(refusal({ ...claim, output: 2 }, claim)).toEqual(before);
  });
  it('or waits for a second operator elsewhere is not taken from there', () => {
    expect(refusal({ ...claim, final: false })).toEqual(
      refuse('already_decided', 'This payment waits for a second operator already, for TS-2.'),
    );
  });
  it('as our payout is no deposit, whichever output', () => {
    expect(refusal({ ...claim, output: 7, use: 'payout', transactionid: 'TS-3' })).toEqual(
      refuse('already_decided', 'This transaction has paid a withdrawal, TS-3.'),
    );
  });
  it('does not stand in the way of itself, nor of another output', () => {
    expect(refusal()).toBeNull();
    expect(refusal({ ...claim, transactionid: 'TS-1' })).toBeNull();
    expect(refusal({ ...claim, output: 2 })).toBeNull();
    expect(refuseClaimed(factsOf(), request, { ...payment, chainOutput: null })).toBeNull();
  });
});

describe('the second of two operators', () => {
  const first = { ...request, ...payment, firstConfirmedBy: 'ann' };
  const exactly = (output: string) =>
    refuse(
      'already_decided',
      `${who} confirmed $50.00 with the transaction id ${txid}${output}. Confirm exactly that, or drop the first confirmation.`,
      { by: 'ann' },
    );

  it('is nobody before the first', () => {
    expect(refuseSecond(request, payment, 'ben')).toBeNull();
  });
  it('is another', () => {
    expect(refuseSecond(first, payment, 'ben')).toBeNull();
    expect(refuseSecond(first, payment, 'ann')).toEqual(
      refuse('second_operator_needed', 'You have confirmed this. Another operator has to, as well.'),
    );
  });
  it('agrees to exactly what the first has entered', () => {
    expect(refuseSecond(first, { ...payment, receivedCents: 5_001n }, 'ben')).toEqual(exactly(', output 1'));
    expect(refuseSecond(first, { ...payment, chainTxid: 'cd' }, 'ben')).toEqual(exactly(', output 1'));
    expect(refuseSecond({ ...first, chainOutput: 0 }, payment, 'ben')).toEqual(exactly(', output 0'));
    expect(refuseSecond({ ...first, chainOutput: null }, payment, 'ben')).toEqual(exactly(''));
  });
});

const seen = {
  id: 'p',
  network: 'bitcoin',
  txid,
  output: 1,
  addressId: 9n,
  cents: 5_000n,
  state: 'seen',
} as PaymentRow;
const shows = (row: Partial<PaymentRow>, ...more: PaymentRow[]) =>
  factsOf({
    seen: new Map([[txid, [{ ...seen, ...row }, ...more]]]),
    ownerless: new Set([9n]),
    watched: new Set(['bitcoin'] as const),
  });

describe('what the chain shows of a named payment', () => {
  it('is that output on that network, while it waits for its use', () => {
    expect(seenAs(shows({}), payment)?.id).toBe('p');
    expect(seenAs(shows({ output: 2 }), { ...payment, chainOutput: null })?.id).toBe('p');
    for (const other of [{ output: 2 }, { network: 'xrp' }, { state: 'credited' }, { state: 'vanished' }])
      expect(seenAs(shows(other as Partial<PaymentRow>), payment)).toBeUndefined();
    expect(seenAs(factsOf(), payment)).toBeUndefined();
  });
  it('leaves two people’s word where it does not show it, or not whose it is', () => {
    expect(whyUnseen(shows({}), payment)).toBe('Bitcoin does not say whose payment it is');
    expect(whyUnseen(shows({ output: 2 }), payment)).toBe('Bitcoin does not show this payment');
    expect(whyUnseen({ ...shows({}), watched: new Set(['xrp']) }, payment)).toBeNull();
  });
});

describe('crediting by hand what the chain shows', () => {
  const byItself = refuse(
    'already_decided',
    'Bitcoin shows this payment. It is credited by itself once it is confirmed.',
  );

  it('is possible as much as it is worth where it is nobody’s', () => {
    expect(refuseSeen(shows({}), request, payment)).toBeNull();
    expect(refuseSeen(factsOf(), request, payment)).toBeNull();
    expect(refuseSeen(shows({}), request, { ...payment, receivedCents: 5_001n })).toEqual(
      refuse('outside_range', 'Bitcoin shows $50.00. Confirm exactly that.'),
    );
    expect(refuseSeen(shows({ cents: null }), request, payment)).toEqual(
      refuse('outside_range', 'Bitcoin shows it, and waits for a price.'),
    );
  });
  it('is not possible where it is credited by itself', () => {
    expect(refuseSeen({ ...shows({}), ownerless: new Set() }, request, payment)).toEqual(byItself);
    expect(refuseSeen(factsOf(), { ...request, paymentId: 'p' }, payment)).toEqual(byItself);
  });
  it('is not possible for our own money', () => {
    expect(refuseSeen(shows({ state: 'ours' }), request, payment)).toEqual(
      refuse('already_decided', 'This is our own money, paid to ourselves.'),
    );
  });
  it('looks at every output where none is named, dust and what vanished aside', () => {
    const whole = { ...payment, chainOutput: null };
    const dust = { ...seen, output: 3, state: 'dust', addressId: 1n, cents: 1n } as const;
    expect(refuseSeen(shows({}, dust), request, whole)).toBeNull();
    expect(refuseSeen(shows({ ...dust }, { ...seen, addressId: 1n }), request, whole)).toEqual(byItself);
    expect(refuseSeen(shows({ state: 'vanished', addressId: 1n }), request, payment)).toBeNull();
  });
  it('is agreeing to it where the chain itself was the first of two', () => {
    expect(
      refuseSeen(shows({ addressId: 1n }), { ...request, firstConfirmedBy: 'chain' }, payment),
    ).toBeNull();
  });
});
