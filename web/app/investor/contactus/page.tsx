import { Headset, type LucideIcon, Mail, MapPin, MessageCircle, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import contacts from '../../../../content/contacts.json';
import { brand, pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page-head.tsx';
import { SampleChip } from '../../domain/sample-chip.tsx';
import { ArrowLink } from '../../ui/arrow-link.tsx';
import { Card, RowIcon } from '../../ui/card.tsx';
import { BackToSettings } from '../back-to-settings.tsx';

export function meta() {
  return pageMeta('Contact Us', 'How to reach us.');
}

const valueLink = 'underline-offset-3 hover:underline';

export default function MobileContactUs() {
  return (
    <>
      <BackToSettings always />
      <PageHead title="Contact Us" />
      <Card aria-label="Contacts" className="max-w-160">
        <ul>
          <Way Icon={Mail} kind="Sales" isSample={contacts.sample}>
            <a href={`mailto:${contacts.salesEmail}`} className={valueLink}>
              {contacts.salesEmail}
            </a>
          </Way>
          <Way Icon={Headset} kind="Support" isSample={brand.isSample}>
            <a href={`mailto:${brand.supportEmail}`} className={valueLink}>
              {brand.supportEmail}
            </a>
          </Way>
          <Way Icon={Phone} kind={`Phone, ${contacts.phoneHours}`} isSample={contacts.sample}>
            <a href={`tel:${contacts.phone.replaceAll(' ', '')}`} className={`tabular-nums ${valueLink}`}>
              {contacts.phone}
            </a>
          </Way>
          <Way
            Icon={MessageCircle}
            kind="Live chat, no chat service is connected yet"
            isSample={contacts.sample}
          >
            {contacts.chat}
          </Way>
          <Way Icon={MapPin} kind="UK office" isSample={brand.isSample}>
            {brand.address}
          </Way>
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

interface WayProps {
  Icon: LucideIcon;
  kind: string;
  isSample: boolean;
  children: ReactNode;
}

function Way({ Icon, kind, isSample, children }: WayProps) {
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3.5 border-line px-5 py-3.5 not-first:border-t">
      <RowIcon Icon={Icon} />
      <div>
        <h2 className="text-caption font-normal text-3">{kind}</h2>
        <p className="text-control font-semibold wrap-anywhere">{children}</p>
      </div>
      {isSample && <SampleChip />}
    </li>
  );
}
