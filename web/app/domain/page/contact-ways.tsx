import { Headset, type LucideIcon, Mail, MapPin, MessageCircle, Phone } from 'lucide-react';
import contacts from '../../../../content/contacts.json';
import { brand } from '../../brand.ts';

export interface ContactWay {
  kind: 'Sales' | 'Support' | 'Phone' | 'Live chat' | 'UK office';
  Icon: LucideIcon;
  value: string;
  /** Where pressing the value leads. */
  href?: string;
  note: string;
  /** The same in few words, where one cannot do without. */
  brief?: string;
  isSample: boolean;
}

/** All five ways to reach us, as the content has them. */
export const contactWays: readonly ContactWay[] = [
  {
    kind: 'Sales',
    Icon: Mail,
    value: contacts.salesEmail,
    href: `mailto:${contacts.salesEmail}`,
    note: 'Questions before you open an account.',
    isSample: contacts.sample,
  },
  {
    kind: 'Support',
    Icon: Headset,
    value: brand.supportEmail,
    href: `mailto:${brand.supportEmail}`,
    note: 'Anything about an account you have.',
    isSample: brand.isSample,
  },
  {
    kind: 'Phone',
    Icon: Phone,
    value: contacts.phone,
    href: `tel:${contacts.phone.replaceAll(' ', '')}`,
    note: contacts.phoneHours,
    brief: contacts.phoneHours,
    isSample: contacts.sample,
  },
  {
    kind: 'Live chat',
    Icon: MessageCircle,
    value: contacts.chat,
    note: 'No chat service is connected yet. The button leads to the form, which takes messages at any hour.',
    brief: 'no chat service is connected yet',
    isSample: contacts.sample,
  },
  {
    kind: 'UK office',
    Icon: MapPin,
    value: brand.address,
    note: 'By appointment.',
    isSample: brand.isSample,
  },
];

export function ContactValue({ way: { value, href } }: { way: ContactWay }) {
  if (!href) return value;
  return (
    <a href={href} className="tabular-nums underline-offset-3 hover:underline">
      {value}
    </a>
  );
}
