import type { AccountKind, AccountRef } from './rules.ts';

/**
 * Something for each of many accounts. By kind first, so that no key has to be put together: to make one, and to hash it, cost
 * more than all else that is looked up for a movement.
 */
export class AccountMap<Value> {
  readonly #kinds = new Map<AccountKind, Map<string | null, Value>>();

  get({ kind, ownerId }: AccountRef): Value | undefined {
    return this.#kinds.get(kind)?.get(ownerId);
  }

  set({ kind, ownerId }: AccountRef, value: Value): void {
    const found = this.#kinds.get(kind);
    if (found) found.set(ownerId, value);
    else this.#kinds.set(kind, new Map([[ownerId, value]]));
  }

  delete({ kind, ownerId }: AccountRef): void {
    this.#kinds.get(kind)?.delete(ownerId);
  }

  /** Leaves so many of a kind, those that were there first being the first to go. */
  shrink(kind: AccountKind, sizeMax: number): void {
    const ofKind = this.#kinds.get(kind);
    if (!ofKind) return;
    for (const ownerId of ofKind.keys()) {
      if (ofKind.size <= sizeMax) return;
      ofKind.delete(ownerId);
    }
  }

  values(): Value[] {
    return [...this.#kinds.values()].flatMap((ofKind) => [...ofKind.values()]);
  }
}

export function onceEach(refs: AccountRef[]): AccountRef[] {
  const wanted = new AccountMap<AccountRef>();
  for (const ref of refs) wanted.set(ref, ref);
  return wanted.values();
}
