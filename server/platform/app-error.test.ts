import { expect, it } from 'vitest';
import { AppError, errorOf, refuse, who } from './app-error.ts';

const id = '0f0a1b2c-3d4e-4f5a-8b6c-7d8e9fabcdef';

it('a refusal carries who did it and never says the id; where the name is known it says that', () => {
  const error = errorOf(refuse('already_decided', `This was posted already, by ${who}.`, { by: id }));
  expect(error).toMatchObject({ by: id, message: 'This was posted already, by another operator.' });
  error.nameOperator('Ada $& Lovelace');
  expect(error.message).toBe('This was posted already, by Ada $& Lovelace.');
});

it('what somebody typed is not taken for the place of a name', () => {
  expect(new AppError('name_taken', `There is a plan called ${who}.`).message).toContain(who);
});
