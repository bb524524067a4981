import { brand } from '../../brand.ts';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { BackLink, TextLink } from '../../ui/actions/links.tsx';
import { texts } from '../privacy/texts.tsx';
import { Facts, PageIntro, Prose } from '../site/prose.tsx';
import { shareMeta } from '../site/share-meta.ts';

export function meta() {
  return shareMeta({
    path: '/privacypolicy',
    title: `Full Privacy Policy | ${brand.name}`,
    description:
      'The whole policy: who is responsible, what is held and why, for how long, who else sees it, and your rights.',
  });
}

export default function PrivacyPolicy() {
  return (
    <section className="wrap">
      <div className="pt-5 tablet:pt-14">
        <BackLink to="/privacy" className="-mb-6 tablet:-mb-16">
          The short texts
        </BackLink>
      </div>
      <PageIntro title="Privacy policy">
        What this site holds about you, in full.{' '}
        {brand.isSample && <SampleChip>Sample policy text</SampleChip>}
      </PageIntro>
      <Prose className="mt-8 tablet:mt-12">
        <WhoIsResponsible />
        {texts.map(({ id, name, Text }) => (
          <section key={id}>
            <h2 className="mt-12">{name}</h2>
            <Text />
          </section>
        ))}
        <WhyWeMay />
        <HowItIsProtected />
        <YourRights />
      </Prose>
    </section>
  );
}

function WhoIsResponsible() {
  return (
    <section>
      <h2>Who is responsible</h2>
      <p>
        {brand.name}, {brand.address}, is responsible for the data described here. Write to{' '}
        <a className="textlink" href={`mailto:${brand.supportEmail}`}>
          {brand.supportEmail}
        </a>{' '}
        or use the <TextLink to="/contactus">contact page</TextLink>.
        {brand.isSample &&
          ' These are sample values until the operator of this installation puts in real ones.'}
      </p>
      <p>
        The policy covers this website, the account area and the e-mails that they send. It describes what the
        software does, so it can be compared with its source.
      </p>
    </section>
  );
}

function WhyWeMay() {
  return (
    <section>
      <h2 className="mt-12">Why we may hold it</h2>
      <Facts
        facts={[
          [
            'To keep our contract with you',
            'Account, wallet entries, plans, withdrawals and the e-mails about them.',
          ],
          ['To obey the law', 'Financial records, and answers to lawful demands.'],
          [
            'To keep accounts safe',
            'Sessions, counters against guessing and the security log. We weighed this against your interest and keep as little as does the work.',
          ],
          ['Because you asked', 'Messages that you send us.'],
        ]}
      />
      <p>
        No decision about you is made by a program alone. Deposits and withdrawals are looked at by people.
      </p>
    </section>
  );
}

function HowItIsProtected() {
  return (
    <section>
      <h2 className="mt-12">How it is protected</h2>
      <ul>
        <li>Passwords are hashed with argon2id; session keys and codes are kept only as hashes.</li>
        <li>E-mails that wait to be sent are sealed; a code in one cannot be read in the database.</li>
        <li>Passwords, codes and session keys are never written to a log.</li>
        <li>The journal of entries and the security log take additions only.</li>
        <li>Pages run only the scripts they were built with, from this site alone.</li>
      </ul>
    </section>
  );
}

function YourRights() {
  return (
    <section>
      <h2 className="mt-12">Your rights</h2>
      <p>
        You can ask what we hold about you, get a copy in a form that a program can read, have mistakes
        corrected, object, and ask us to delete what no law obliges us to keep. It costs nothing. If our
        answer does not satisfy you, the data protection authority where you live takes complaints; in the
        United Kingdom it is the Information Commissioner’s Office.
      </p>
      <h2 className="mt-12">When this changes</h2>
      <p>
        A change that matters is announced by e-mail to everyone with an account before it takes effect. This
        text is of 15 November 2026.
      </p>
    </section>
  );
}
