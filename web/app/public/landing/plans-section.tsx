import type { ReactNode } from 'react';
import { PlanCard, PlanCardWaiting } from '../../domain/plans/plan-card.tsx';
import { Button, ButtonLink } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';

const cardsExpected = ['first', 'second', 'third'];

export function PlansSection() {
  return (
    <section id="plans" className="wrap rhythm">
      <h2 className="text-section">Investment plans</h2>
      <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
        <span id="notch-note">Each notch is ten days. </span>The figures you see are the figures you confirm.
      </p>
      <div id="plan-cards" className="mt-7 tablet:mt-12">
        <noscript>
          <p className="text-sub text-2">
            The plans that are open now are shown with JavaScript. What a plan is, with an example, stands in{' '}
            <TextLink to="/blog/how-fixed-plans-work">How fixed plans work</TextLink>.
          </p>
        </noscript>
        <div className="noscript:hidden">
          <Waiting />
        </div>
        <PlanTemplates />
      </div>
      <p className="mt-5 max-w-[88ch] text-label/[22px] text-3">
        ROI covers the whole term and is paid once, at maturity. It is not an annual rate and no return is
        certain.
      </p>
    </section>
  );
}

/** What `live-plans.ts` shows when the plans are there, when there are none and when they did not come. */
function PlanTemplates() {
  return (
    <>
      <template data-cards>
        <Cards>
          <PlanCard>
            <ButtonLink to="/signup" look="soft">
              Get Started
            </ButtonLink>
          </PlanCard>
        </Cards>
      </template>
      <template data-none>
        <QuietNotice>No plan is open at the moment.</QuietNotice>
      </template>
      <template data-failed>
        <QuietNotice role="status">
          <p>The plans could not be loaded.</p>
          <Button className="mt-3">Retry</Button>
        </QuietNotice>
      </template>
      <template data-waiting>
        <Waiting />
      </template>
    </>
  );
}

function Waiting() {
  return (
    <Cards>
      {cardsExpected.map((name) => (
        <PlanCardWaiting key={name} />
      ))}
    </Cards>
  );
}

function Cards({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 tablet:grid-cols-3 desktop:gap-6">{children}</div>;
}
