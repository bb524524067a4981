import { brand } from '../../brand.ts';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { ArrowLink } from '../../ui/actions/links.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { PageIntro, Prose } from '../site/prose.tsx';
import { shareMeta } from '../site/share-meta.ts';
import { texts } from './texts.tsx';

export function meta() {
  return shareMeta({
    path: '/privacy',
    title: `Privacy Policy | ${brand.name}`,
    description:
      'What we do with your data, how long we keep it, who else sees it, and which cookies we set. Four short texts.',
  });
}

const tabs = texts.map(({ id, name, Text }) => ({
  id,
  name,
  panel: (
    <Prose>
      <h2>{name}</h2>
      <Text />
    </Prose>
  ),
}));

export default function Privacy() {
  return (
    <section className="wrap">
      <PageIntro title="Privacy">
        Four short texts. {brand.isSample && <SampleChip>Sample policy text</SampleChip>}
      </PageIntro>
      <div className="mt-7 tablet:mt-12">
        <Tabs label="Privacy" tabs={tabs} />
        <div className="tablet:pl-[260px] desktop:pl-[372px] noscript:pl-0">
          <div className="mt-10 flex max-w-[45.25rem] items-center justify-between gap-x-3.5 rounded-card bg-surface px-5 py-2.5 inset-ring inset-ring-line max-tablet:flex-col max-tablet:items-start max-tablet:py-4">
            <p className="text-control text-2">
              The four texts are a summary. The full policy is what counts.
            </p>
            <ArrowLink to="/privacypolicy" className="whitespace-nowrap">
              Read the full policy
            </ArrowLink>
          </div>
        </div>
      </div>
    </section>
  );
}
