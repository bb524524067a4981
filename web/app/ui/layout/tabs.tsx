import { type KeyboardEvent, type ReactNode, useRef } from 'react';

export interface Tab {
  /** The panel's id, and with `#` its address. */
  id: string;
  name: string;
  panel: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
}

/** How far each key goes; the list stands upright on wide screens and two by two on phones, so both ways count. */
const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** A list of names beside one text at a time. All texts are in the page; without scripts all are shown. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ id }) => id === selected);
    const step = steps[event.key];
    const target =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? tabs.length - 1
          : step === undefined
            ? null
            : at + step;
    if (target === null) return;
    event.preventDefault();
    const index = (target + tabs.length) % tabs.length;
    onSelect(tabs[index]?.id ?? selected);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  }

  return (
    <div className="grid items-start gap-7 tablet:grid-cols-[220px_minmax(0,1fr)] tablet:gap-10 desktop:grid-cols-[300px_minmax(0,1fr)] desktop:gap-18 noscript:tablet:grid-cols-1">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        aria-orientation="vertical"
        className="grid grid-cols-2 gap-2 tablet:grid-cols-1 tablet:gap-0.5 tablet:border-l tablet:border-line noscript:hidden"
      >
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${id}-tab`}
            aria-controls={id}
            aria-selected={id === selected}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
            onKeyDown={onKeyDown}
            className="min-h-14 rounded-control bg-surface px-3.5 py-2 text-left text-control/5 font-label text-2 inset-ring inset-ring-line hover:text-1 aria-selected:bg-(--text) aria-selected:text-(--bg) aria-selected:inset-ring-0 tablet:-ml-px tablet:min-h-13 tablet:rounded-none tablet:border-l-2 tablet:border-transparent tablet:bg-transparent! tablet:px-[18px] tablet:text-body tablet:font-medium tablet:inset-ring-0 tablet:aria-selected:border-accent-text tablet:aria-selected:font-semibold tablet:aria-selected:text-accent-text"
          >
            {name}
          </button>
        ))}
      </div>
      <div>
        {tabs.map(({ id, panel }) => (
          <div
            key={id}
            role="tabpanel"
            id={id}
            aria-labelledby={`${id}-tab`}
            className={`noscript:mb-12 noscript:block ${id === selected ? '' : 'hidden'}`}
          >
            {panel}
          </div>
        ))}
      </div>
    </div>
  );
}
