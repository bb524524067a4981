import { useEffect, useState } from 'react';

const secondMs = 1_000;

/** The present moment, to the second, for what runs out while somebody looks. */
export function useSeconds(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), secondMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
