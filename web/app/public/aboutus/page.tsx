import { HandCoins, Lock, MonitorSmartphone, Split } from 'lucide-react';
import team from '../../../../content/team.json';
import { brand } from '../../brand.ts';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { ArrowLink } from '../../ui/actions/links.tsx';
import { seamStyle } from '../../ui/brand/seam.ts';
import { BlogTeaser } from '../blog/post-card.tsx';
import { CallToAction } from '../site/call-to-action.tsx';
import { Faq } from '../site/faq.tsx';
import { PageIntro } from '../site/prose.tsx';
import { organization, shareMeta } from '../site/share-meta.ts';
import { Portrait } from './portrait.tsx';

export function meta() {
  return shareMeta({
    path: '/aboutus',
    title: `About Us | ${brand.name}`,
    description: 'What we are for, what we are good at, who answers for it, and how you can check us.',
    structured: [organization()],
  });
}

export default function AboutUs() {
  return (
    <>
      <section className="wrap">
        <PageIntro title="A promise you can hold in your hand">
          For centuries a debt was cut into a stick and the stick was split. Whoever held a half could prove
          the whole. We build an investment account on the same idea.
        </PageIntro>
        <MissionAndForte />
      </section>
      <Leadership />
      <UsersComeFirst />
      <CallToAction />
      <Faq />
      <BlogTeaser />
    </>
  );
}

const notchHeightsPx = [72, 136, 200];
const seamPanel =
  'px-6 pt-7 pb-7.5 tablet:px-9 tablet:py-8 tablet:[clip-path:var(--seam)] desktop:px-12 desktop:pt-10 desktop:pb-11';
const seamTitle = 'text-[24px]/[30px] tracking-[-0.025em] tablet:text-[28px]/[34px]';

function MissionAndForte() {
  return (
    <div className="mt-8 grid gap-2 tablet:mt-14 tablet:grid-cols-2 tablet:gap-2.5">
      <div
        style={seamStyle('left', notchHeightsPx)}
        className={`rounded-t-[20px] bg-half tablet:rounded-l-[20px] tablet:rounded-tr-none ${seamPanel}`}
      >
        <h2 className={seamTitle}>Our mission</h2>
        <p className="mt-2.5 text-prose text-on-half-2 tablet:mt-3.5">
          To let newcomers and experienced investors put digital assets into plans whose terms are written
          down before any money moves: how much, how long, how much comes back, and on which day.
        </p>
      </div>
      <div
        style={seamStyle('right', notchHeightsPx)}
        className={`rounded-b-[20px] bg-ink text-on-ink tablet:rounded-r-[20px] tablet:rounded-bl-none ${seamPanel}`}
      >
        <h2 className={seamTitle}>Our forte</h2>
        <p className="mt-2.5 text-prose text-on-ink-2 tablet:mt-3.5">
          Book-keeping. Every deposit, investment and payout is one line in a record that cannot be changed
          unnoticed. You keep a copy, we keep a copy, and both carry the same code.
        </p>
      </div>
    </div>
  );
}

function Leadership() {
  return (
    <section className="wrap rhythm">
      <h2 className="text-section">Leadership</h2>
      <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
        Three people answer for this company.
        {team.sample && ' These profiles are samples and wait for real names and portraits.'}
      </p>
      <div className="mt-7 grid gap-8 tablet:mt-10 tablet:grid-cols-3 tablet:gap-6">
        {team.people.map(({ name, title, description, portrait }) => (
          <article key={name}>
            <Portrait hair={portrait} />
            <div className="mt-[18px] flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <h3 className="text-title">{name}</h3>
              {team.sample && <SampleChip>Sample profile</SampleChip>}
            </div>
            <p className="text-control text-3">{title}</p>
            <p className="mt-2.5 text-body/[25px] text-2">{description}</p>
          </article>
        ))}
      </div>
    </section>
  );
}

const promises = [
  {
    Icon: Split,
    title: 'Two halves of every entry',
    text: 'Your browser recomputes the chain of codes and tells you which entry, if any, was altered.',
  },
  {
    Icon: Lock,
    title: 'A journal that only grows',
    text: 'The database takes new entries and refuses to change or delete an old one, for us as well.',
  },
  {
    Icon: MonitorSmartphone,
    title: 'Your devices, listed',
    text: 'See where you are signed in and sign any of them out.',
  },
  {
    Icon: HandCoins,
    title: 'No fee to get money out',
    text: 'We never ask for a payment to release a withdrawal. Anyone who does is not us.',
  },
];

function UsersComeFirst() {
  return (
    <section className="wrap rhythm grid items-start gap-6 tablet:gap-8 desktop:grid-cols-[400px_1fr] desktop:gap-18">
      <div>
        <h2 className="text-section">Users come first</h2>
        <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
          Security here means that you can check us, and that nobody can act in your name.
        </p>
        <ArrowLink to="/privacy" className="mt-3 tablet:mt-5">
          How we handle your data
        </ArrowLink>
      </div>
      <ul className="grid gap-x-10 tablet:grid-cols-2">
        {promises.map(({ Icon, title, text }) => (
          <li
            key={title}
            className="grid grid-cols-[24px_1fr] gap-3.5 border-t border-line py-[18px] tablet:py-[22px]"
          >
            <Icon className="mt-px size-[22px] text-accent-text" strokeWidth={1.75} aria-hidden="true" />
            <div>
              <h3 className="text-body">{title}</h3>
              <p className="text-control/[23px] text-2">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
