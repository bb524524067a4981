import { Headset, type LucideIcon, Mail, MapPin, MessageCircle, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import contacts from '../../../../content/contacts.json';
import { brand } from '../../brand.ts';
import { SampleChip } from '../../domain/sample-chip.tsx';
import { PageHead } from '../page-head.tsx';
import { shareMeta } from '../share-meta.ts';
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
      <PageHead title="Contact us">
        Choose the way that suits you. We never ask for your password, a code or a payment to release a
        withdrawal.
      </PageHead>
      <div className="mt-7 grid items-start gap-10 tablet:mt-12 tablet:grid-cols-2 desktop:grid-cols-[minmax(0,1fr)_520px] desktop:gap-18">
        <Ways />
        <ContactForm />
      </div>
    </section>
  );
}

const valueLink = 'underline-offset-3 hover:underline';

function Ways() {
  return (
    <ul className="border-b border-line">
      <Way Icon={Mail} kind="Sales" note="Questions before you open an account." isSample={contacts.sample}>
        <a href={`mailto:${contacts.salesEmail}`} className={valueLink}>
          {contacts.salesEmail}
        </a>
      </Way>
      <Way Icon={Headset} kind="Support" note="Anything about an account you have." isSample={brand.isSample}>
        <a href={`mailto:${brand.supportEmail}`} className={valueLink}>
          {brand.supportEmail}
        </a>
      </Way>
      <Way Icon={Phone} kind="Phone" note={contacts.phoneHours} isSample={contacts.sample}>
        <a href={`tel:${contacts.phone.replaceAll(' ', '')}`} className={`tabular-nums ${valueLink}`}>
          {contacts.phone}
        </a>
      </Way>
      <Way
        Icon={MessageCircle}
        kind="Live chat"
        note="No chat service is connected yet. The button leads to the form, which takes messages at any hour."
        isSample={contacts.sample}
        action={
          <a
            href="#write"
            className="inline-flex min-h-11 items-center justify-center rounded-small bg-accent-tint px-3.5 text-label font-semibold whitespace-nowrap text-accent-text hover:bg-accent-tint-2"
          >
            Start a chat
          </a>
        }
      >
        {contacts.chat}
      </Way>
      <Way Icon={MapPin} kind="UK office" note="By appointment." isSample={brand.isSample}>
        {brand.address}
      </Way>
    </ul>
  );
}

interface WayProps {
  Icon: LucideIcon;
  kind: string;
  note: string;
  isSample: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function Way({ Icon, kind, note, isSample, action, children }: WayProps) {
  return (
    <li className="grid grid-cols-[44px_1fr] gap-x-3.5 gap-y-2 border-t border-line py-4 tablet:py-5 desktop:grid-cols-[44px_1fr_auto] desktop:gap-x-4">
      <span className="grid size-11 place-items-center rounded-large bg-accent-tint text-accent-text">
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div>
        <h2 className="text-control/5 font-medium text-3">{kind}</h2>
        <p className="text-[18px]/[26px] font-semibold tracking-[-0.01em] wrap-anywhere">{children}</p>
        <p className="text-control text-2">{note}</p>
      </div>
      {(isSample || action) && (
        <div className="flex flex-wrap items-center gap-3 max-desktop:col-start-2 desktop:flex-col desktop:items-end">
          {isSample && <SampleChip />}
          {action}
        </div>
      )}
    </li>
  );
}
