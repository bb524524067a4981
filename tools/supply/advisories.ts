/** What `npm audit --json` answers, whichever of the two it is. */
interface Answer {
  /** Only when the advisory service did not answer as it should. */
  message?: string;
  error?: unknown;
  vulnerabilities?: Record<
    string,
    { name: string; severity: string; range: string; via: (string | { title: string; url: string })[] }
  >;
  metadata?: { dependencies?: { total?: number } };
}

/** Of the command: whoever runs it by the clock tells "nothing known" from "nobody was asked". */
export const auditCodes = { nothingKnown: 0, known: 1, notAsked: 2 } as const;

/** In words, and as an exit code. What cannot be read counts as not asked, never as good news. */
export function tellAdvisories(stdout: string): { code: number; lines: string[] } {
  const { vulnerabilities, metadata, message } = parse(stdout);
  if (!vulnerabilities) {
    const why = message ?? 'its answer cannot be read';
    return {
      code: auditCodes.notAsked,
      lines: [`The advisory service could not be asked, so nothing is known of any package: ${why}`],
    };
  }
  const found = Object.values(vulnerabilities);
  if (found.length === 0) {
    const total = metadata?.dependencies?.total;
    return { code: auditCodes.nothingKnown, lines: [`No advisory is known for any of ${total} packages.`] };
  }
  const told = found.map(({ name, severity, range, via }) => {
    const reasons = via.map((cause) =>
      typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`,
    );
    return `${severity}: ${name} ${range}: ${reasons.join('; ')}`;
  });
  return {
    code: auditCodes.known,
    lines: [...told.sort(), `Advisories are known for ${found.length} packages.`],
  };
}

function parse(stdout: string): Answer {
  try {
    return JSON.parse(stdout) as Answer;
  } catch {
    return {};
  }
}
