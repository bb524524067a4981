import type { Plan } from '@tallystick/contract/investment';
import type { ReactNode } from 'react';
import { PlanCard, PlanCardWaiting } from '../../domain/plans/plan-card.tsx';
import { notchesAreTrue, usePlans } from '../../domain/plans/plan-offer.ts';
import { Button, ButtonLink } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';

const cardsExpected = ['first', 'second', 'third'];

export function PlansSection() {
  const plans = usePlans();
  const countsDays = plans.data?.every(({ duration }) => notchesAreTrue(duration)) ?? true;
  return (
    <section id="plans" className="wrap rhythm">
      <h2 className="text-section">Investment plans</h2>
      <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">
        {countsDays && 'Each notch is ten days. '}The figures you see are the figures you confirm.
      </p>
      <div className="mt-7 tablet:mt-12">
        <Plans
          plans={plans.data}
          failed={plans.isError && !plans.isFetching}
          onRetry={() => plans.refetch()}
        />
      </div>
      <p className="mt-5 max-w-[88ch] text-label/[22px] text-3">
        ROI covers the whole term and is paid once, at maturity. It is not an annual rate and no return is
        certain.
      </p>
    </section>
  );
}

interface PlansProps {
  plans: Plan[] | undefined;
  failed: boolean;
  onRetry: () => void;
}

function Plans({ plans, failed, onRetry }: PlansProps) {
  if (plans?.length === 0) {
    return <QuietNotice>No plan is open at the moment.</QuietNotice>;
  }
  if (plans) {
    return (
      <Cards>
        {plans.map((plan) => (
          <PlanCard key={plan._id} plan={plan}>
            <ButtonLink to="/signup" look="soft">
              Get Started
            </ButtonLink>
          </PlanCard>
        ))}
      </Cards>
    );
  }
  if (failed) {
    return (
      <QuietNotice role="status">
        <p>The plans could not be loaded.</p>
        <Button className="mt-3" onClick={onRetry}>
          Retry
        </Button>
      </QuietNotice>
    );
  }
  return (
    <>
      <noscript>
        <p className="text-sub text-2">
          The plans that are open now are shown with JavaScript. What a plan is, with an example, stands in{' '}
          <TextLink to="/blog/how-fixed-plans-work">How fixed plans work</TextLink>.
        </p>
      </noscript>
      <div className="noscript:hidden">
        <Cards>
          {cardsExpected.map((name) => (
            <PlanCardWaiting key={name} />
          ))}
        </Cards>
      </div>
    </>
  );
}

function Cards({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 tablet:grid-cols-3 desktop:gap-6">{children}</div>;
}
