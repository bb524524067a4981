import { type Command, type Model, type Outcome, obey } from './model.ts';

/** How the model would be left by each order in which commands that were sent together may have been executed. */
export function* orders(model: Model, commands: Command[]): Generator<{ after: Model; outcomes: Outcome[] }> {
  for (const order of permutations(commands.map((_, index) => index))) {
    const after = structuredClone(model);
    const outcomes: Outcome[] = [];
    for (const index of order) outcomes[index] = obey(after, commands[index] as Command);
    yield { after, outcomes };
  }
}

function* permutations(items: number[]): Generator<number[]> {
  if (items.length < 2) yield items;
  else {
    for (const first of items) {
      for (const rest of permutations(items.filter((item) => item !== first))) yield [first, ...rest];
    }
  }
}
