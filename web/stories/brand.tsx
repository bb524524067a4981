import { CountNotches, DayNotches, Steps } from '../app/ui/brand/notches.tsx';
import { seamStyle } from '../app/ui/brand/seam.ts';
import { Stick } from '../app/ui/brand/stick.tsx';
import type { Stories } from './story.ts';

const shape = { y: 4, half: 26, gap: 6, upperEnd: 300, lowerEnd: 240, notchWidth: 7, notchDepth: 12 };

export const brand: Stories = {
  notches: () => (
    <>
      <Steps now={1} of={3} />
      <Steps now={3} of={3} />
      <DayNotches day={1} of={7} isDone={false} />
      <DayNotches day={20} of={30} isDone={false} />
      <DayNotches day={90} of={90} isDone />
      <CountNotches count={1} of={2} />
      <CountNotches count={7} of={12} />
    </>
  ),
  stick: () => (
    <>
      <svg viewBox="0 0 300 66" className="w-full max-w-80" role="img" aria-label="Two halves that match">
        <Stick {...shape} notches={[60, 100, 160]} />
      </svg>
      <svg viewBox="0 0 300 66" className="w-full max-w-80" role="img" aria-label="The wrong half">
        <Stick {...shape} notches={[60, 100, 160]} lowerNotches={[40, 130, 200]} bleeds />
      </svg>
    </>
  ),
  seam: () => (
    <div className="grid grid-cols-2 text-label">
      <div className="bg-surface p-6 [clip-path:var(--seam)]" style={seamStyle('left', [24, 48])}>
        left half
      </div>
      <div className="bg-accent-tint p-6 [clip-path:var(--seam)]" style={seamStyle('right', [24, 48])}>
        right half
      </div>
    </div>
  ),
};
