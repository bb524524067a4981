import { formatUsd } from '@tallystick/contract/money';
import type { Statement } from '@tallystick/contract/proof';
import { whenOf } from '../../domain/dates.ts';
import { fill, repeat } from '../../native/template.ts';
import { linesOf, mostOf } from './chart.ts';
import { type LogText, readLogText } from './log-text.ts';
import { networkName, noneIn, readNewest, readStatements, shownIn } from './show-part.ts';
import { factsOf, holdingsOf, kindNames, placesOf, sumOf, weeksOf } from './statement.ts';

const usdOr = (cents: bigint | null, unknown = 'Unknown') => (cents === null ? unknown : formatUsd(cents));

/** The newest statement, as the log has it, and all of them through time. */
export async function drawBooks(place: Element): Promise<DocumentFragment> {
  const [newest, statements] = await Promise.all([readNewest('books'), readStatements()]);
  if (!newest) return noneIn(place);
  const books = readLogText(newest.text);
  const listed = statements.find((one) => one.place === newest.place);
  const facts = factsOf(books, listed);
  const shown = shownIn(place);
  fill(shown, {
    owed: formatUsd(sumOf(facts.owed)),
    held: usdOr(facts.heldCents),
    unheld: facts.heldCents === null ? '' : null,
    typed: typedText(listed),
    coverage: facts.coverage ?? 'Unknown',
    coverageNote: coverageNote(facts),
    provenAt: whenOf(facts.at),
    number: `Statement ${facts.number}, entry ${newest.place + 1} of the log`,
  });
  repeat(shown.querySelector('[data-owed]'), [...kindNames.entries()], (part, [index, name]) =>
    fill(part, { name, amount: formatUsd(facts.owed[index] ?? 0n) }),
  );
  showHoldings(shown, books);
  showWeeks(shown, books);
  showHistory(shown, statements);
  return shown;
}

function coverageNote({ coverage, owed }: ReturnType<typeof factsOf>): string {
  if (coverage) return 'of what is owed is held';
  return sumOf(owed) === 0n ? 'nothing is owed' : 'nothing is known of what is held';
}

function typedText(listed: Statement | undefined): string | null {
  if (!listed?.typed || listed.typed === '0') return null;
  return `${formatUsd(BigInt(listed.typed))} of it is what operators entered, because no chain shows it.`;
}

function showHoldings(shown: DocumentFragment, books: LogText): void {
  const holdings = holdingsOf(books, networkName);
  if (holdings.length === 0) shown.querySelector('[data-held]')?.remove();
  else {
    repeat(shown.querySelector('[data-held]'), holdings, (part, { name, cents, source }) =>
      fill(part, { name, amount: usdOr(cents, 'No price'), source }),
    );
  }
  const places = placesOf(books, networkName);
  if (places.length === 0) shown.querySelector('[data-places]')?.remove();
  else repeat(shown.querySelector('[data-places] ul'), places, (part, text) => fill(part, { place: text }));
}

function showWeeks(shown: DocumentFragment, books: LogText): void {
  const weeks = weeksOf(books);
  const part = shown.querySelector('[data-weeks]');
  if (weeks.length === 0) {
    part?.querySelector('table')?.remove();
    fill(part ?? shown, { due: '' });
    return;
  }
  fill(part ?? shown, { due: null });
  const most = mostOf(weeks.map(dueOf)) || 1n;
  repeat(part?.querySelector('tbody') ?? null, weeks, (row, week) => {
    fill(row, {
      week: week.name,
      principal: formatUsd(week.principalCents),
      profit: formatUsd(week.profitCents),
      due: formatUsd(dueOf(week)),
    });
    const bar = row.querySelector<HTMLElement>('[data-bar]');
    if (bar) bar.style.width = `${Number((dueOf(week) * 1000n) / most) / 10}%`;
  });
}

const dueOf = ({ principalCents, profitCents }: ReturnType<typeof weeksOf>[number]) =>
  principalCents + profitCents;

function showHistory(shown: DocumentFragment, statements: readonly Statement[]): void {
  const lines = linesOf(statements);
  const chart = shown.querySelector('[data-chart]');
  if (!lines) chart?.remove();
  else {
    fill(shown, { alone: null });
    for (const path of chart?.querySelectorAll<SVGElement>('[data-line]') ?? []) {
      const line = lines[path.dataset.line as keyof typeof lines];
      path.setAttribute('d', path.hasAttribute('data-ground') ? `${line}V160H0Z` : line);
    }
    const [newest, oldest] = [statements[0], statements.at(-1)];
    if (newest && oldest) fill(shown, { from: whenOf(oldest.time), to: whenOf(newest.time) });
  }
  repeat(shown.querySelector('[data-statements]'), statements, (row, { number, time, owed, held }) =>
    fill(row, {
      number: String(number),
      time: whenOf(time),
      owed: formatUsd(sumOf(owed)),
      held: usdOr(held === null ? null : BigInt(held)),
    }),
  );
}
