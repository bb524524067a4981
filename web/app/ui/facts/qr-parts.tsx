import { Pause, Play, SkipForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../actions/button.tsx';
import { Qr } from './qr.tsx';

/** As fast as wallets expect it. */
const partMs = 250;

/** All parts in codes of one size: 65 dots a side, which small cameras read. */
const version = 12;

/** Nobody is shown a thing that moves who has asked for less of that. */
const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** What is too long for one code, in codes that follow one another; they can be stopped, and turned over by hand. */
export function QrParts({ parts, label }: { parts: readonly string[]; label: string }) {
  const [shown, setShown] = useState(0);
  const [isMoving, setMoving] = useState(mayMove);
  const count = parts.length;

  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setShown((part) => part + 1), partMs);
    return () => clearInterval(timer);
  }, [isMoving]);

  const part = shown % count;
  const place = `Part ${part + 1} of ${count}`;
  return (
    <div className="grid max-w-110 gap-3">
      <Qr isLarge versionMin={version} text={parts[part] ?? ''} label={`${label}, ${place.toLowerCase()}`} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
        <p className="text-control font-semibold tabular-nums">{place}</p>
        <div className="flex gap-2.5 max-tablet:w-full max-tablet:*:flex-1">
          {!isMoving && (
            <Button onClick={() => setShown(part + 1)}>
              <SkipForward className="size-4" aria-hidden="true" />
              Next part
            </Button>
          )}
          <Button onClick={() => setMoving(!isMoving)}>
            {isMoving ? (
              <Pause className="size-4" aria-hidden="true" />
            ) : (
              <Play className="size-4" aria-hidden="true" />
            )}
            {isMoving ? 'Pause' : 'Play'}
          </Button>
        </div>
      </div>
    </div>
  );
}
