import { anyCoin } from '@tallystick/contract/networks';
import { brand } from '../../brand.ts';
import { InlineScript } from '../../native/inline-script.tsx';
import { BlogTeaser } from '../blog/post-card.tsx';
import { CallToAction } from '../site/call-to-action.tsx';
import { Faq, faqStatement } from '../site/faq.tsx';
import { SiteFrame } from '../site/frame.tsx';
import { organization, shareMeta, siteOrigin } from '../site/share-meta.ts';
import { Hero } from './hero.tsx';
import { PlansSection } from './plans-section.tsx';
import { PriceTicker } from './price-ticker.tsx';
import { PriceTiles } from './price-tiles.tsx';
import { RecordSection } from './record-section.tsx';
import liveScript from './script.ts?script';

export function meta() {
  return shareMeta({
    path: '/',
    title: `${brand.name} | Buy & Invest Crypto Tokens Easily`,
    description: `Fund a wallet in ${anyCoin}, pick a fixed plan and follow every dollar in a record you hold half of. You can lose money.`,
    structured: [
      organization(),
      { '@type': 'WebSite', name: brand.name, url: `${siteOrigin()}/`, inLanguage: 'en' },
      faqStatement,
    ],
  });
}

export default function Landing() {
  return (
    <>
      <SiteFrame strip={<PriceTicker />}>
        <Hero />
        <PriceTiles />
        <RecordSection />
        <PlansSection />
        <CallToAction />
        <Faq />
        <BlogTeaser />
      </SiteFrame>
      <InlineScript text={liveScript} later />
    </>
  );
}
