import type { Call, CallAddress, CallAnswer } from '@tallystick/contract/call';
import type { entries, LogEntry, logKinds, state, statements } from '@tallystick/contract/proof';
import { readOpen } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { showIn, templateIn } from '../../native/template.ts';

/** Draws a part of the page once; whoever sees that it did not come may ask again. */
export async function showPart(
  id: string,
  draw: (place: Element) => Promise<DocumentFragment>,
): Promise<void> {
  const place = document.getElementById(id);
  if (!place) throw new Error(`the page has no part ${id}`);
  try {
    showIn(place, await draw(place));
  } catch (error) {
    logFailure(`Error fetching ${id}:`, error);
    const failed = templateIn(place, '[data-failed]');
    failed.querySelector('button')?.addEventListener('click', () => {
      showIn(place, templateIn(place, '[data-waiting]'));
      void showPart(id, draw);
    });
    showIn(place, failed);
  }
}

export const shownIn = (place: Element) => templateIn(place, '[data-shown]');
export const noneIn = (place: Element) => templateIn(place, '[data-none]');

/** Without the schemas, which are the server's, and without a session, which nobody needs here. */
async function read<C extends Call>(call: CallAddress<C>, query: Record<string, string> = {}) {
  const answer = await readOpen(`${call.path}?${new URLSearchParams(query)}`);
  return (await answer.json()) as CallAnswer<C>;
}

const calls = {
  entries: { method: 'GET', path: '/api/proof/entries' } as CallAddress<typeof entries>,
  statements: { method: 'GET', path: '/api/proof/statements' } as CallAddress<typeof statements>,
  state: { method: 'GET', path: '/api/proof/state' } as CallAddress<typeof state>,
};

export const readState = () => read<typeof state>(calls.state);
export const readStatements = async () => (await read<typeof statements>(calls.statements)).statements;

const pageLimit = 200;

type Kind = (typeof logKinds)[number];

export async function readNewest(kind: Kind): Promise<LogEntry | undefined> {
  return (await read<typeof entries>(calls.entries, { kind, limit: '1' })).entries[0];
}

/** All that the log has of a kind, newest first. */
export async function readAll(kind: Kind): Promise<LogEntry[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const last = all.at(-1);
    const query = { kind, limit: String(pageLimit), ...(last && { before: String(last.place) }) };
    const page = await read<typeof entries>(calls.entries, query);
    all.push(...page.entries);
    if (!page.more || page.entries.length === 0) return all;
  }
}

/** The page names the networks in words; what it does not name is a name already. */
export const networkName = (id: string): string =>
  document.querySelector<HTMLElement>(`[data-network="${CSS.escape(id)}"]`)?.dataset.name ?? id;
