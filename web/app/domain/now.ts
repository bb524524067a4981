import { useEffect, useState } from 'react';

/** The present moment; unless told otherwise, often enough for figures that count minutes. */
export function useNow(tickMs = 20_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
}
