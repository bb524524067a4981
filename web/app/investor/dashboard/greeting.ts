/** By the reader's own clock. */
export function greetingAt(time: Date): string {
  const hour = time.getHours();
  if (hour < 5 || hour >= 18) return 'Good evening';
  return hour < 12 ? 'Good morning' : 'Good afternoon';
}
