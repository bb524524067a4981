import { useEffect, useState } from 'react';

const tickMs = 20_000;

/** The present moment, often enough for figures that count minutes. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
