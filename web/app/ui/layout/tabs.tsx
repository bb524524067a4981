import type { ReactNode } from 'react';

interface Tab {
  /** The panel's id, and with `#` its address. */
  id: string;
  name: string;
  panel: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
}

interface ChosenTabsProps extends TabsProps {
  selected: string;
  onSelect: (id: string) => void;
}

interface TabListProps extends TabsProps {
  selected: string | undefined;
  onSelect?: (id: string) => void;
  orientation: 'vertical' | 'horizontal';
  className: string;
  tabClass: string;
}

/** The names of the tabs. `native/tabs.ts` has the keys that lead from one to the next. */
function TabList({ label, tabs, selected, onSelect, orientation, className, tabClass }: TabListProps) {
  return (
    <div role="tablist" aria-label={label} aria-orientation={orientation} className={className}>
      {tabs.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${id}-tab`}
          aria-controls={id}
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={onSelect && (() => onSelect(id))}
          className={tabClass}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/**
 * A list of names beside one text at a time, the first to begin with; `native/tabs.ts` shows the one that is chosen. All
 * texts are in the page; without scripts all are shown.
 */
export function Tabs(props: TabsProps) {
  const selected = props.tabs[0]?.id;
  return (
    <div
      data-tabs
      className="grid items-start gap-7 tablet:grid-cols-[220px_minmax(0,1fr)] tablet:gap-10 desktop:grid-cols-[300px_minmax(0,1fr)] desktop:gap-18 noscript:tablet:grid-cols-1"
    >
      <TabList
        {...props}
        selected={selected}
        orientation="vertical"
        className="grid grid-cols-2 gap-2 tablet:grid-cols-1 tablet:gap-0.5 tablet:border-l tablet:border-line noscript:hidden"
        tabClass="min-h-14 rounded-control bg-surface px-3.5 py-2 text-left text-control/5 font-label text-2 inset-ring inset-ring-line hover:text-1 aria-selected:bg-(--text) aria-selected:text-(--color-bg) aria-selected:inset-ring-0 tablet:-ml-px tablet:min-h-13 tablet:rounded-none tablet:border-l-2 tablet:border-transparent tablet:bg-transparent! tablet:px-[18px] tablet:text-body tablet:font-medium tablet:inset-ring-0 tablet:aria-selected:border-accent-text tablet:aria-selected:font-semibold tablet:aria-selected:text-accent-text"
      />
      <div>
        {props.tabs.map(({ id, panel }) => (
          <div
            key={id}
            role="tabpanel"
            id={id}
            aria-labelledby={`${id}-tab`}
            className={`scroll-mt-6 noscript:mb-12 noscript:block ${id === selected ? '' : 'hidden'}`}
          >
            {panel}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Tabs across the head of a page: underlined names, one panel beneath. */
export function PageTabs(props: ChosenTabsProps) {
  return (
    <div className="grid min-w-0 gap-3.5 tablet:gap-5">
      <TabList
        {...props}
        orientation="horizontal"
        className="flex gap-1 border-b border-line"
        tabClass="relative -mb-px h-12 px-4 text-control font-medium text-2 hover:text-1 aria-selected:font-semibold aria-selected:text-1 aria-selected:after:absolute aria-selected:after:inset-x-4 aria-selected:after:bottom-0 aria-selected:after:h-0.5 aria-selected:after:bg-accent-text max-tablet:flex-1"
      />
      {props.tabs.map(({ id, panel }) => {
        const isShown = id === props.selected;
        return (
          <div
            key={id}
            role="tabpanel"
            id={id}
            aria-labelledby={`${id}-tab`}
            tabIndex={-1}
            hidden={!isShown}
            className="min-w-0 outline-none"
          >
            {isShown && panel}
          </div>
        );
      })}
    </div>
  );
}
