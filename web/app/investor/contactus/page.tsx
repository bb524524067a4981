import { pageMeta } from '../../brand.ts';
import { ContactValue, type ContactWay, contactWays } from '../../domain/page/contact-ways.tsx';
import { PageHead } from '../../domain/page/page-head.tsx';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { ArrowLink } from '../../ui/actions/links.tsx';
import { Card, RowIcon } from '../../ui/layout/card.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';

export const meta = () => pageMeta('Contact Us', 'How to reach us.');

export default function MobileContactUs() {
  return (
    <>
      <BackToSettings always />
      <PageHead title="Contact Us" />
      <Card aria-label="Contacts" className="max-w-160">
        <ul>
          {contactWays.map((way) => (
            <Way key={way.kind} way={way} />
          ))}
        </ul>
        <div className="border-t border-line px-5 py-3">
          <p className="text-label text-2">
            We never ask for your password, a code or a payment to release a withdrawal.
          </p>
          <ArrowLink to="/contactus#write" className="text-control">
            Write a message
          </ArrowLink>
        </div>
      </Card>
    </>
  );
}

function Way({ way }: { way: ContactWay }) {
  const { Icon, kind, brief, isSample } = way;
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3.5 border-line px-5 py-3.5 not-first:border-t">
      <RowIcon Icon={Icon} />
      <div>
        <h2 className="text-caption font-normal text-3">{brief ? `${kind}, ${brief}` : kind}</h2>
        <p className="text-control font-semibold wrap-anywhere">
          <ContactValue way={way} />
        </p>
      </div>
      {isSample && <SampleChip />}
    </li>
  );
}
