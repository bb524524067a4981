import { Link } from 'react-router';
import { Accordion } from '../../ui/layout/accordion.tsx';

const questions = [
  {
    question: 'Can I lose money?',
    answer:
      'Yes. Crypto assets are volatile and any investment can lose value. Each plan shows its range, length and ROI before you commit, and nothing leaves your wallet until you confirm. If losing the amount would hurt, choose a smaller one.',
  },
  {
    question: 'When can I withdraw?',
    answer:
      'Whatever is in your wallet can be asked for at any time, from $10 up to your balance. Money in a plan comes back to the wallet when the term ends, or before it where the plan can be left early. A person looks at each withdrawal before it is paid, and you can cancel it until then. A withdrawal has no fee, and nobody may ask you for a payment to release it.',
  },
  {
    question: 'How do I know the record is right?',
    answer:
      'Each entry carries a code that is made from its own line and from the code of the entry before it. Whoever changes one line changes every code after it. You can download your entries, add them up and work out the codes yourself; the blog says how.',
  },
];

/** The same questions for search engines. */
export const faqStatement = {
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
};

export function Faq() {
  return (
    <section className="wrap rhythm grid gap-7 tablet:gap-8 desktop:grid-cols-[400px_1fr] desktop:gap-18">
      <div>
        <h2 className="text-section">Asked most often</h2>
        <p className="mt-3 text-sub text-2 tablet:mt-4">
          Something else on your mind?{' '}
          <Link
            to="/contactus"
            className="font-semibold text-accent-text underline underline-offset-3 hover:decoration-2"
          >
            Contact us
          </Link>
        </p>
      </div>
      <Accordion items={questions} />
    </section>
  );
}
