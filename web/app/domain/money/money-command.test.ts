import { expect, it } from 'vitest';
import { ApiRefusal, ApiUnreachable } from '../../api.ts';
import { reasonOf } from './money-command.ts';

const fault = { code: 'internal', message: 'Something went wrong on our side.' } as const;

it('a money command that a fault of ours left unknown is told with what support finds it by', () => {
  const unknown = /^The server answered with an error, .* Press again: it counts once\./;
  expect(reasonOf(new ApiRefusal(500, fault, ' Reference 7f1b9a04.'))).toMatch(unknown);
  expect(reasonOf(new ApiRefusal(500, fault, ' Reference 7f1b9a04.'))).toMatch(/ Reference 7f1b9a04\.$/);
  expect(reasonOf(new ApiRefusal(502, fault))).toMatch(/it counts once\.$/);
  expect(reasonOf(new ApiUnreachable())).toMatch(/^No answer came, .* it counts once\.$/);
});

it('a refusal is told in the server’s own words', () => {
  const frozen = { code: 'withdrawals_frozen', message: 'Withdrawals are frozen.' } as const;
  expect(reasonOf(new ApiRefusal(423, frozen))).toBe('Withdrawals are frozen.');
});
