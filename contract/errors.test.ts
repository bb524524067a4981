import { expect, it } from 'vitest';
import { ErrorBody } from './error-body.ts';
import { readErrorBody } from './errors.ts';

it.each([
  { code: 'not_found', message: 'There is nothing here.' },
  { code: 'email_unverified', message: 'Enter the code first.', userid: '7' },
  { code: 'second_factor_required', message: 'Show your second factor.', ways: ['code', 'recovery'] },
])('a refusal is read as the schema reads it: $code', (body) => {
  expect(readErrorBody(body)).toEqual({ userid: undefined, ...body });
  expect(ErrorBody.parse(body)).toEqual(body);
});

it.each([
  [null],
  [undefined],
  ['<html>'],
  [502],
  [[]],
  [{ code: 'not_found' }],
  [{ code: 'toString', message: 'No.' }],
  [{ code: 404, message: 'No.' }],
  [{ code: 'not_found', message: 5 }],
])('what is no refusal of ours is not taken for one: %j', (answer) => {
  expect(readErrorBody(answer)).toBeNull();
  expect(ErrorBody.safeParse(answer).success).toBe(false);
});

it('a refusal of a newer server is read, and stands in no reference', () => {
  const body = { code: 'made_up', message: 'No.' };
  expect(readErrorBody(body)).toMatchObject(body);
  expect(ErrorBody.safeParse(body).success).toBe(false);
});
