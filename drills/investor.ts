import { setTimeout as delay } from 'node:timers/promises';
import { sendsamplepayment } from '@tallystick/contract/demo';
import { addbalance } from '@tallystick/contract/funding';
import { makeinvestment } from '@tallystick/contract/investment';
import { entries, summary } from '@tallystick/contract/ledger';
import { confirmdeposit } from '@tallystick/contract/operator/queue';
import { register, verifylink } from '@tallystick/contract/users';
import { cancelwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { codeOf, createAsker } from './ask.ts';
import type { Field } from './field.ts';
import { begin, done, type Person, password, refused, signIn, told, wrong } from './person.ts';
import type { Chance } from './seed.ts';

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const centsOf = (dollars: number) => Math.round(dollars * 100);
/** Then another person signs up in this one's place. */
const actsMax = 40;

export async function signUp(person: Person): Promise<boolean> {
  const { field, email, chance } = person;
  const act = begin(person, 'sign-up');
  const body = { fullname: 'Amara Okonkwo', email, password, isAdmin: false };
  let registered = await done(person, register, { body });
  // An address that has tried often, because nobody answered, has to wait for an hour; a person may have another.
  for (let moves = 1; registered?.outcome.status === 429 && moves < 250; moves += 1) {
    person.asker.moveTo(`10.255.${person.place}.${moves}`);
    const again = await done(person, register, { body });
    registered = again && { ...again, wasTried: true };
  }
  if (!registered) return false;
  act.acknowledged = registered.answer !== null;
  if (!registered.answer && !(registered.wasTried && codeOf(registered.outcome) === 'email_exists')) {
    wrong(person, `could not sign up: ${told(registered.outcome)}`);
    return false;
  }
  const token = () => field.mail.lettersTo(email).find(({ linkToken }) => linkToken)?.linkToken;
  // Kills that follow each other closely hold up letters; that each comes in the end is looked at in the end.
  for (; !token(); await delay(50)) if (field.isStopping) return false;
  const verified = await done(person, verifylink, { body: { token: token() ?? '' } });
  if (!verified) return false;
  // A link of before the clock was set is too old now: somebody else comes instead.
  if (field.mayEndSessions && codeOf(verified.outcome) === 'link_wrong') return false;
  if (!(await signIn(person))) return false;
  await delay(chance.below(100));
  return true;
}

const usualDeposit = (person: Person) =>
  deposit(person, 200_000 + person.number, person.chance.below(3) === 0);

/** By two operators, or on the demo's own path by a payment on the sample chain. */
export async function deposit(person: Person, cents: number, isOnChain = false): Promise<boolean> {
  const { field, model, number, chance } = person;
  const act = begin(person, 'deposit', cents);
  const asked = await done(person, addbalance, {
    key: `deposit-${number}`,
    body: { fundingtypename: field.fundingtypename, amount: cents / 100 },
  });
  if (!asked) return false;
  if (!asked.answer) return refused(person, 'a deposit', asked.outcome);
  const { _id: id, transactionid } = asked.answer.request;
  Object.assign(act, { acknowledged: true, transactionid });
  const credit = begin(person, 'credit', cents);
  credit.transactionid = transactionid;
  if (isOnChain) {
    const paid = await done(person, sendsamplepayment, { params: { id } });
    if (!paid) return false;
    const isSent = paid.answer !== null || (paid.wasTried && codeOf(paid.outcome) === 'already_decided');
    if (!isSent) return refused(person, 'a payment', paid.outcome);
    credit.acknowledged = true;
    model.onItsWay = credit;
    return true;
  }
  const chaintransactionid = chance.next().toString(16).slice(2).padEnd(12, '0').repeat(6).slice(0, 64);
  for (const [at, cookie] of field.operators.entries()) {
    const confirmed = await done(person, confirmdeposit, {
      params: { id },
      key: `${transactionid}-${at}`,
      cookie,
      bearer: undefined,
      body: { received: cents / 100, chaintransactionid, chainoutput: 0 },
    });
    if (!confirmed) return false;
    // The operators' sessions end with the clock, too, and nobody at their desks signs in again.
    if (confirmed.outcome.status === 401 && field.mayEndSessions) return false;
    const isBefore = confirmed.wasTried && [403, 409].includes(confirmed.outcome.status);
    if (!confirmed.answer && !isBefore) return refused(person, 'a confirmation', confirmed.outcome);
    credit.acknowledged ||= confirmed.answer?.status === 'confirmed';
    if (confirmed.answer?.status === 'confirmed') break;
  }
  model.available += cents;
  return true;
}

async function invest(person: Person): Promise<boolean> {
  const { field, model, number, userid } = person;
  const cents = 10_000 + number;
  const act = begin(person, 'investment', cents);
  const made = await done(person, makeinvestment, {
    key: `investment-${number}`,
    body: { userid, planid: field.planid, investinvestmemntamount: cents / 100 },
  });
  if (!made) return false;
  if (!made.answer) return refused(person, 'an investment', made.outcome);
  Object.assign(act, { acknowledged: true, transactionid: made.answer.investment.investmentransactionid });
  model.available -= cents;
  model.invested += cents;
  return true;
}

async function withdraw(person: Person): Promise<boolean> {
  const { field, model, number, userid } = person;
  const cents = 1_000 + number;
  const act = begin(person, 'withdrawal', cents);
  const made = await done(person, makenewwithdrawal, {
    key: `withdrawal-${number}`,
    body: {
      userid,
      withdrawalid: field.withdrawalid,
      withdrawalamount: cents / 100,
      withdrawaladdress: address,
    },
  });
  if (!made) return false;
  if (!made.answer) return refused(person, 'a withdrawal', made.outcome);
  const { transactionid, _id: id } = made.answer.withdrawal;
  Object.assign(act, { acknowledged: true, transactionid });
  model.available -= cents;
  model.withdrawing += cents;
  model.open.push({ id, cents, transactionid });
  return true;
}

async function cancel(person: Person): Promise<boolean> {
  const { model } = person;
  const withdrawal = model.open.shift();
  if (!withdrawal) return true;
  const { id: withdrawalid, cents, transactionid } = withdrawal;
  const act = begin(person, 'cancellation', cents);
  act.transactionid = transactionid;
  const taken = await done(person, cancelwithdrawal, { params: { withdrawalid } });
  if (!taken) return false;
  const isBefore = taken.wasTried && codeOf(taken.outcome) === 'already_decided';
  if (!taken.answer && !isBefore) return refused(person, 'a cancellation', taken.outcome);
  act.acknowledged = taken.answer !== null;
  model.available += cents;
  model.withdrawing -= cents;
  return true;
}

/** What is read must be what was acknowledged, at every moment. */
async function look(person: Person): Promise<boolean> {
  const { model } = person;
  const read = await done(person, summary, {});
  if (!read) return false;
  if (!read.answer) return refused(person, 'the summary', read.outcome);
  const [available, invested, withdrawing] = [
    read.answer.available,
    read.answer.invested,
    read.answer.withdrawing,
  ].map(centsOf);
  if (model.onItsWay && available === model.available + model.onItsWay.cents) {
    model.available += model.onItsWay.cents;
    model.onItsWay = null;
  }
  const shown = [available, invested, withdrawing].join();
  const expected = [model.available, model.invested, model.withdrawing].join();
  if (shown !== expected) {
    wrong(person, `shows ${shown} where ${expected} was acknowledged`);
    return false;
  }
  return person.chance.below(4) > 0 || fold(person);
}

/** The wallet's own entries, from where they were last read: each follows on the one before it. */
async function fold(person: Person): Promise<boolean> {
  const { model } = person;
  const read = await done(person, entries, { query: { after: model.seq, limit: 1000 } });
  if (!read) return false;
  if (!read.answer) return refused(person, 'the wallet', read.outcome);
  for (const { seq, amount, balanceafter } of read.answer.entries) {
    model.fold += centsOf(amount);
    model.seq += 1;
    if (seq === model.seq && centsOf(balanceafter) === model.fold) continue;
    wrong(person, `entry ${seq} says ${balanceafter}, its fold ${model.fold}`);
    return false;
  }
  return true;
}

/** One after the other, so that what is in the air at any moment is one act alone. */
async function act(person: Person): Promise<boolean> {
  const { field, model, chance } = person;
  person.number += 1;
  if (model.available < 30_000) {
    if (!model.onItsWay && !field.isClosedForDeposits) return usualDeposit(person);
    await delay(300);
    return true;
  }
  if (model.open.length > 10) return cancel(person);
  return (
    [invest, invest, invest, withdraw, withdraw, cancel, usualDeposit][
      chance.below(model.onItsWay || field.isClosedForDeposits ? 6 : 7)
    ]?.(person) ?? true
  );
}

/** Somebody at an address of their own, who has not signed up yet. */
export function newPerson(field: Field, chance: Chance, place: number, life = 0): Person {
  const from = `10.${16 * field.block + place}.${Math.floor(life / 250)}.${(life % 250) + 1}`;
  return {
    field,
    chance,
    asker: createAsker(field.port, from, field.msMax),
    second: createAsker(field.port, from, field.msMax),
    place: 16 * field.block + place,
    email: `${field.name}-${place}-${life}@example.com`,
    userid: '',
    bearer: '',
    model: { available: 0, invested: 0, withdrawing: 0, onItsWay: null, open: [], seq: 0, fold: 0 },
    number: 0,
  };
}

/** Investors who follow one another until the drill stops; `pauseMs` is what one takes to think. */
export async function investors(
  field: Field,
  place: number,
  chance: Chance,
  { pauseMs = 100 } = {},
): Promise<void> {
  for (let life = 0; !field.isStopping; life += 1) {
    const person = newPerson(field, chance, place, life);
    let goesOn = await signUp(person);
    while (goesOn && !field.isStopping && (person.number < actsMax || field.isWithoutLetters)) {
      goesOn = (await act(person)) && (await look(person));
      await delay(chance.below(2 * pauseMs));
    }
    person.asker.close();
    person.second.close();
  }
}
