import type { ReactNode } from 'react';
import { brand } from '../../brand.ts';
import { ContactValue, type ContactWay, contactWays } from '../../domain/page/contact-ways.tsx';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { PageIntro } from '../site/prose.tsx';
import { shareMeta } from '../site/share-meta.ts';
import { ContactForm } from './contact-form.tsx';

export function meta() {
  return shareMeta({
    path: '/contactus',
    title: `Contact Us | ${brand.name}`,
    description: 'Sales, support, phone, chat and our office, or write to us from this page.',
  });
}

export default function ContactUs() {
  return (
    <section className="wrap">
      <PageIntro title="Contact us">
        Choose the way that suits you. We never ask for your password, a code or a payment to release a
        withdrawal.
      </PageIntro>
      <div className="mt-7 grid items-start gap-10 tablet:mt-12 tablet:grid-cols-2 desktop:grid-cols-[minmax(0,1fr)_520px] desktop:gap-18">
        <Ways />
        <ContactForm />
      </div>
    </section>
  );
}

function Ways() {
  return (
    <ul className="border-b border-line">
      {contactWays.map((way) => (
        <Way key={way.kind} way={way}>
          {way.kind === 'Live chat' && (
            <a
              href="#write"
              className="inline-flex min-h-11 items-center justify-center rounded-small bg-accent-tint px-3.5 text-label font-semibold whitespace-nowrap text-accent-text hover:bg-accent-tint-2"
            >
              Start a chat
            </a>
          )}
        </Way>
      ))}
    </ul>
  );
}

/** The children are what can be done with it, at its end. */
function Way({ way, children }: { way: ContactWay; children: ReactNode }) {
  const { Icon, kind, note, isSample } = way;
  return (
    <li className="grid grid-cols-[44px_1fr] gap-x-3.5 gap-y-2 border-t border-line py-4 tablet:py-5 desktop:grid-cols-[44px_1fr_auto] desktop:gap-x-4">
      <span className="grid size-11 place-items-center rounded-large bg-accent-tint text-accent-text">
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div>
        <h2 className="text-control/5 font-medium text-3">{kind}</h2>
        <p className="text-[18px]/[26px] font-semibold tracking-[-0.01em] wrap-anywhere">
          <ContactValue way={way} />
        </p>
        <p className="text-control text-2">{note}</p>
      </div>
      {(isSample || children) && (
        <div className="flex flex-wrap items-center gap-3 max-desktop:col-start-2 desktop:flex-col desktop:items-end">
          {isSample && <SampleChip />}
          {children}
        </div>
      )}
    </li>
  );
}
