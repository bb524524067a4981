import type { CallAnswer } from '@tallystick/contract/call';
import { demoOperators } from '@tallystick/contract/demo';
import { useEffect, useState } from 'react';
import { callApi } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';

export type DemoOperator = CallAnswer<typeof demoOperators>['operators'][number];

/** A demo has two operators, so that what needs both of them can be tried. In production nothing is asked or shown. */
export function DemoOperators({ onFill }: { onFill: (operator: DemoOperator) => void }) {
  const [names, setNames] = useState<readonly string[]>([]);

  useEffect(() => {
    if (document.documentElement.dataset.mode !== 'demo') return;
    readOperators().then((operators) => setNames(operators.map(({ name }) => name)));
  }, []);

  /** Asked again at each press: the code lasts half a minute. */
  async function fill(name: string) {
    const operator = (await readOperators()).find((one) => one.name === name);
    if (operator) onFill(operator);
  }

  if (names.length === 0) return null;
  return (
    <fieldset className="grid gap-2 rounded-code bg-accent-tint p-3.5">
      <legend className="float-left mb-2 w-full text-caption text-2">
        This is a demo. Fill in the details of an operator:
      </legend>
      <div className="clear-both flex flex-wrap gap-2 *:flex-1">
        {names.map((name) => (
          <Button key={name} className="px-3! text-label!" onClick={() => void fill(name)}>
            {name}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

async function readOperators(): Promise<readonly DemoOperator[]> {
  try {
    return (await callApi(demoOperators, {})).operators;
  } catch (error) {
    logFailure('Error fetching the demo operators:', error);
    return [];
  }
}
