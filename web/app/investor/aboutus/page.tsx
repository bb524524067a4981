import { brand, pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { ArrowLink } from '../../ui/actions/links.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';

export const meta = () => pageMeta('About Us', `Welcome to ${brand.name}.`);

export default function MobileAboutUs() {
  return (
    <>
      <BackToSettings always />
      <PageHead title="About Us" />
      <Card aria-label="About us" className="grid max-w-160 gap-3 p-5 text-2 tablet:p-7">
        <h2 className="text-title text-1">Welcome to {brand.name}</h2>
        <p>
          A tally stick was split in two, so that lender and keeper each held a matching half and neither
          could alter the record alone. This site works the same way: you fund a wallet, invest in plans with
          fixed terms, withdraw what is yours, and can check every cent of it yourself.
        </p>
        <p>Plans carry risk. You can lose money, including all of it. No return is certain.</p>
        <ArrowLink to="/aboutus" className="justify-self-start text-control">
          More about us
        </ArrowLink>
      </Card>
    </>
  );
}
