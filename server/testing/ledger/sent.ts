import pg from 'pg';
import { vi } from 'vitest';

interface Sent {
  name?: string;
  text: string;
}

/** Sees every statement that is sent to a database from now on, also those that travel together. */
export function watchStatements(): { all(): Sent[]; stop(): void } {
  const queries = vi.spyOn(pg.Client.prototype, 'query');
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
