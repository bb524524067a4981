import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@tallystick/contract/call';

const isCall = (value: unknown): value is Call => 'path' in Object(value) && 'answer' in Object(value);

/** What a file of the contract describes; calls that wait for a second operator come in pairs. */
export const callsOf = (module: object): Call[] =>
  Object.values(module).flatMap((value) =>
    isCall(value) ? [value] : Object.values(Object(value)).filter(isCall),
  );

export async function everyCall(): Promise<Call[]> {
  const cwd = join(import.meta.dirname, '..', '..', 'contract');
  const files = globSync('{,operator/}*.ts', { cwd, exclude: ['**/*.test.ts'] });
  const modules: object[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ join(cwd, file))),
  );
  return modules.flatMap(callsOf);
}
