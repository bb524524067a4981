/** The first line of the dashboard, by the reader's own clock. */
export function greetingOf(fullname: string, time: Date): string {
  return [greetingAt(time.getHours()), fullname].filter(Boolean).join(', ');
}

function greetingAt(hour: number): string {
  if (hour < 5 || hour >= 18) return 'Good evening';
  return hour < 12 ? 'Good morning' : 'Good afternoon';
}
