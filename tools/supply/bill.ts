/** What of CycloneDX is read or written here; the rest is npm's and stays as it is. */
interface Component {
  'bom-ref': string;
  name: string;
  version: string;
}

export interface Bill {
  serialNumber?: string;
  metadata: { timestamp?: string; tools?: unknown; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/**
 * The same lock file gives the same bill, byte by byte, on whichever machine and in whichever folder: what tells of when,
 * where and by which npm it was made goes, and lists are in order.
 */
export function steady(bill: Bill, name: string): Bill {
  const { serialNumber: _, metadata, ...rest } = bill;
  const { timestamp: _when, tools: _which, ...about } = metadata;
  return {
    ...rest,
    metadata: { ...about, component: { ...about.component, name } },
    components: bill.components.toSorted((a, b) => byText(a['bom-ref'], b['bom-ref'])),
    dependencies: bill.dependencies
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.toSorted(byText) }))
      .sort((a, b) => byText(a.ref, b.ref)),
  };
}

/** What the lock file has and the bill has not. */
export function leftOut(bill: Bill, locked: Record<string, { version: string; link?: boolean }>): string[] {
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const wanted = Object.entries(locked)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
  return wanted.filter((name) => !listed.has(name));
}
