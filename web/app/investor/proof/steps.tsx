import { CircleAlert } from 'lucide-react';
import { Chip } from '../../ui/facts/chip.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Picture } from './pictures.tsx';
import type { ShownProof } from './shown.ts';
import { Told } from './told.tsx';
import { type StepName, saysOf, stepWords, whyOf } from './words.ts';

const names = Object.keys(stepWords) as StepName[];

/** The five steps one under the other; without a result all of them are still being checked, or could not be. */
export function Steps({ shown, hasFailed }: { shown: ShownProof | undefined; hasFailed: boolean }) {
  return (
    <ol className="grid gap-3.5 tablet:gap-5">
      {names.map((name, at) => (
        <li key={name}>
          <StepCard name={name} number={at + 1} shown={shown} hasFailed={hasFailed} />
        </li>
      ))}
    </ol>
  );
}

interface StepCardProps {
  name: StepName;
  number: number;
  shown: ShownProof | undefined;
  hasFailed: boolean;
}

function StepCard({ name, number, shown, hasFailed }: StepCardProps) {
  const { title, proves, not } = stepWords[name];
  const step = shown?.steps.find((one) => one.name === name);
  const state = step?.state ?? (hasFailed ? 'unchecked' : 'checking');
  const isBroken = state === 'broken';
  const why = step && shown && whyOf(step, shown);
  return (
    <Card
      aria-labelledby={`step-${name}`}
      className={`grid grid-cols-[minmax(0,1fr)] gap-x-7 gap-y-4 p-5 tablet:grid-cols-[176px_minmax(0,1fr)] tablet:p-6 ${isBroken ? 'border-debit! outline outline-debit' : ''}`}
    >
      <div className="flex items-start justify-between gap-4 tablet:block">
        <div className={`w-40 tablet:w-44 ${state === 'holds' || isBroken ? '' : 'opacity-60'}`}>
          <Picture
            name={name}
            isBroken={isBroken}
            seals={shown?.cosigners.filter((one) => !one.isSample).length ?? 0}
          />
        </div>
        <span className="tablet:hidden">
          <State state={state} />
        </span>
      </div>
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-4">
          <h2 id={`step-${name}`} className="text-title">
            {number}. {title}
          </h2>
          <span className="max-tablet:hidden">
            <State state={state} />
          </span>
        </div>
        {step && shown && (
          <p className={`mt-1 text-control wrap-anywhere tabular-nums ${isBroken ? 'font-semibold' : ''}`}>
            <Told text={saysOf(step, shown)} />
          </p>
        )}
        {why && (
          <p
            className={`mt-1 text-control wrap-anywhere tabular-nums ${isBroken ? 'font-semibold text-debit' : 'text-2'}`}
          >
            <Told text={why} />
          </p>
        )}
        <dl className="mt-3 grid gap-x-7 gap-y-2 border-t border-line pt-3 text-label text-2 desktop:grid-cols-2">
          <div>
            <dt className="font-label text-1">
              {state === 'holds' ? 'What it proves' : 'What it would prove'}
            </dt>
            <dd>{proves}</dd>
          </div>
          <div>
            <dt className="font-label text-1">
              {state === 'holds' ? 'What it does not' : 'What it would not'}
            </dt>
            <dd>{not}</dd>
          </div>
        </dl>
      </div>
    </Card>
  );
}

function State({ state }: { state: 'checking' | 'holds' | 'broken' | 'unchecked' }) {
  switch (state) {
    case 'holds':
      return <Chip look="done">Holds</Chip>;
    case 'unchecked':
      return <Chip look="waiting">Not checked</Chip>;
    case 'checking':
      return (
        <span className="inline-flex h-6.5 shrink-0 items-center gap-1.5 text-caption font-label text-2">
          <Spinner /> Checking
        </span>
      );
    case 'broken':
      return (
        <span className="inline-flex h-6.5 shrink-0 items-center gap-1.5 rounded-[7px] border border-debit px-2 text-caption/none font-semibold text-debit">
          <CircleAlert className="size-4" strokeWidth={2} aria-hidden="true" />
          Broken
        </span>
      );
  }
}
