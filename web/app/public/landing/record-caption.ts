import type { ShownRecord } from '../../../sample-record/record.ts';

/** Says that both halves match only where that was computed. */
export function recordCaption({ entries, matching }: ShownRecord): string {
  if (matching === entries.length) return 'Sample record. The codes on both sides are the same.';
  return `Sample record. It was altered: from entry ${matching + 1} on, the halves do not match.`;
}
