import { anyCoin } from '@tallystick/contract/networks';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { brand } from '../../brand.ts';
import { PriceTiles } from '../../domain/prices/price-tiles.tsx';
import { BlogTeaser } from '../blog/post-card.tsx';
import { CallToAction } from '../site/call-to-action.tsx';
import { Faq, faqStatement } from '../site/faq.tsx';
import { SiteFrame } from '../site/frame.tsx';
import { organization, shareMeta, siteOrigin } from '../site/share-meta.ts';
import { Hero } from './hero.tsx';
import { PlansSection } from './plans-section.tsx';
import { PriceTicker } from './price-ticker.tsx';
import { RecordSection } from './record-section.tsx';

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
  const [queries] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queries}>
      <SiteFrame strip={<PriceTicker />}>
        <Hero />
        <section aria-label="Prices" className="wrap">
          <PriceTiles />
        </section>
        <RecordSection />
        <PlansSection />
        <CallToAction />
        <Faq />
        <BlogTeaser />
      </SiteFrame>
    </QueryClientProvider>
  );
}
