import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';

export interface PageTab {
  id: string;
  name: string;
  panel: ReactNode;
}

interface PageTabsProps {
  label: string;
  tabs: readonly PageTab[];
  selected: string;
  onSelect: (id: string) => void;
}

/** Tabs across the head of a page: underlined names, one panel beneath. */
export function PageTabs({ label, tabs, selected, onSelect }: PageTabsProps) {
  return (
    <Tabs.Root value={selected} onValueChange={onSelect} className="grid min-w-0 gap-3.5 tablet:gap-5">
      <Tabs.List aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map(({ id, name }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="relative -mb-px h-12 px-4 text-control font-medium text-2 hover:text-1 aria-selected:font-semibold aria-selected:text-1 aria-selected:after:absolute aria-selected:after:inset-x-4 aria-selected:after:bottom-0 aria-selected:after:h-0.5 aria-selected:after:bg-accent-text max-tablet:flex-1"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ id, panel }) => (
        <Tabs.Content key={id} value={id} tabIndex={-1} className="min-w-0 outline-none">
          {panel}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
