import { networkIds, networks } from '@tallystick/contract/networks';
import { brand } from '../../brand.ts';
import { InlineScript } from '../../native/inline-script.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { PageIntro } from '../site/prose.tsx';
import { shareMeta } from '../site/share-meta.ts';
import { BooksSection } from './books-section.tsx';
import { CheckSection } from './check-section.tsx';
import { Addresses, PlanChanges } from './entries-sections.tsx';
import { LogSection } from './log-section.tsx';
import liveScript from './script.ts?script';

export function meta() {
  return shareMeta({
    path: '/proof',
    title: `Proof | ${brand.name}`,
    description:
      'What is owed to all investors, what is held against it, and a public log of both that anyone can check.',
  });
}

export default function Proof() {
  return (
    <>
      <section className="wrap">
        <PageIntro title="Proof">
          What is owed to all investors, what is held against it, and a public log of both. You need not
          believe this page: every amount on it stands in the log, and the log can be checked without us.
        </PageIntro>
        <div className="demo-only mt-6 max-w-[62ch]">
          <QuietNotice>
            This is a demo. The investors, their money, what is held and the payment addresses are samples;
            the log and its signatures are made as they would be for real money.
          </QuietNotice>
        </div>
      </section>
      <BooksSection />
      <LogSection />
      <PlanChanges />
      <Addresses />
      <CheckSection />
      {networkIds.map((id) => (
        <i key={id} hidden data-network={id} data-name={networks[id].name} />
      ))}
      <InlineScript text={liveScript} later />
    </>
  );
}
