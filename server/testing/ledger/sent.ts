import { vi } from 'vitest';
import { Connection } from '../../platform/postgres/pool/connection.ts';

interface Sent {
  name?: string;
  text: string;
}

/** Sees every statement that is sent to a database from now on, also those that travel together. */
export function watchStatements(): { all(): Sent[]; stop(): void } {
  const queries = vi.spyOn(Connection.prototype, 'query');
  const statementsOf = (query: unknown): Sent[] => {
    if (typeof query === 'string') return [{ text: query }];
    const { statements } = query as { statements?: Sent[] };
    return statements ?? [query as Sent];
  };
  return {
    all: () => queries.mock.calls.flatMap(([query]) => statementsOf(query)),
    stop: () => queries.mockRestore(),
  };
}
