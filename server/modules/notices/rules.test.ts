import { topics } from '@tallystick/contract/notices';
import { expect, it } from 'vitest';
import { letterSite, letters } from '../../demo/sample-letters.ts';
import { headOf, Letter } from '../mail/rules.ts';
import { createIds } from './rules.ts';
import { isSwitchable, topicOf, topicOfKind } from './topics.ts';

it('nothing that opens, names or locates anybody is in a notice', () => {
  const kinds = Letter.options.map(({ shape }) => shape.kind.value);
  expect(Object.keys(topicOf).toSorted()).toEqual(kinds.toSorted());
  for (const letter of Object.values(letters)) {
    const head = JSON.stringify(headOf(letter, letterSite));
    const secrets = ['code', 'linkToken', 'fullname', 'clientAddress', 'address', 'paymentaddress'].flatMap(
      (name) => (name in letter ? [String(letter[name as keyof typeof letter])] : []),
    );
    const shown = secrets.filter((secret) => head.includes(secret));
    // Whose head says the code: it makes no notice.
    expect([letter.kind, shown.length > 0 && topicOf[letter.kind] !== null]).toEqual([letter.kind, false]);
  }
});

it('what leaves, what protects the account and what an agreement depends on cannot be switched off', () => {
  const kindsOf = (off: boolean) =>
    Object.entries(topicOf)
      .filter(([, topic]) => isSwitchable(topic) === off)
      .map(([kind]) => kind);
  expect(
    kindsOf(true).every((kind) => /^(deposit-|investment-(opened|matured|reinvested)$)/.test(kind)),
  ).toBe(true);
  expect(kindsOf(false)).toEqual(
    expect.arrayContaining(['withdrawal-requested', 'new-device', 'maturity-told', 'investment-left']),
  );
  expect(topics.filter(isSwitchable)).toEqual(['deposits', 'investments']);
});

it('a kind that only a newer server knows is shown all the same', () => {
  expect([topicOfKind('deposit-seen'), topicOfKind('of tomorrow')]).toEqual(['deposits', 'security']);
});

it('ids sort as they were made, many in a millisecond, and by a clock that is set back', () => {
  const newId = createIds();
  const times = [...Array(4_100).fill(1_800_000_000_000), 1_800_000_000_900, 1_800_000_000_100];
  const ids = times.map((ms) => newId(new Date(ms)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !shape.test(id))).toEqual([]);
  expect(Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16)).toBe(1_800_000_000_000);
});
