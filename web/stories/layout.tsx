import { Landmark } from 'lucide-react';
import { use, useState } from 'react';
import { Accordion } from '../app/ui/layout/accordion.tsx';
import { Card, CardTitle, RowIcon } from '../app/ui/layout/card.tsx';
import { PageTabs, Tabs } from '../app/ui/layout/tabs.tsx';
import { SchemeContext, type Stories } from './story.ts';

const names = ['First', 'Second', 'Third'];

/** Panels are found by their ids, and every story stands here twice. */
function useTabs(kind: string) {
  const scheme = use(SchemeContext);
  const tabs = names.map((name) => ({ id: `${kind}-${scheme}-${name}`, name, panel: <p>{name} panel</p> }));
  return { label: `Tabs in ${scheme}`, tabs };
}

function ChosenTabs() {
  const props = useTabs('page-tabs');
  const [selected, onSelect] = useState(props.tabs[0]?.id ?? '');
  return <PageTabs {...props} selected={selected} onSelect={onSelect} />;
}

export const layout: Stories = {
  card: () => (
    <Card aria-label="A card" className="flex items-center gap-3 p-4">
      <RowIcon Icon={Landmark} />
      <CardTitle>What belongs together</CardTitle>
    </Card>
  ),
  tabs: () => <Tabs {...useTabs('tabs')} />,
  'tabs of a page': () => <ChosenTabs />,
  accordion: () => (
    <Accordion
      items={[
        { question: 'What is a tally stick?', answer: 'A record that two people hold a half of.' },
        { question: 'Can I lose money?', answer: 'Yes, including all of it.' },
      ]}
    />
  ),
};
