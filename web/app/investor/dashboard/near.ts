import { useCallback, useState } from 'react';

/** So far ahead of the finger what is scrolled to should be there. */
const aheadPx = 300;

/** Whether a place is, or has once been, on the screen or close to it. */
export function useNear() {
  const [isNear, setIsNear] = useState(false);
  const place = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: `${aheadPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, isNear] as const;
}
