import { ButtonLink } from '../../ui/actions/button.tsx';
import { Stick } from '../../ui/brand/stick.tsx';

export function CallToAction() {
  return (
    <section className="wrap rhythm">
      <div className="on-ink grid items-center overflow-hidden rounded-[20px] bg-ink pt-9 pl-6 text-on-ink tablet:grid-cols-[1fr_34%] tablet:gap-8 tablet:rounded-panel tablet:py-14 tablet:pl-11 desktop:grid-cols-[1fr_480px] desktop:gap-14 desktop:py-18 desktop:pl-18">
        <div className="max-tablet:pr-6">
          <h2 className="max-w-[15em] text-section">Start with an amount you can afford to leave alone.</h2>
          <p className="mt-3.5 max-w-[50ch] text-sub text-on-ink-2">
            Opening an account is free. Nothing is invested until you choose a plan and confirm it.
          </p>
          <ButtonLink to="/signup" look="paper" size="large" className="mt-6 max-tablet:w-full tablet:mt-8">
            Get Started
          </ButtonLink>
        </div>
        <svg viewBox="0 0 480 220" className="block w-full max-tablet:mt-3" aria-hidden="true">
          <Stick
            y={20}
            half={82}
            gap={16}
            upperEnd={480}
            lowerEnd={410}
            notchWidth={24}
            notchDepth={54}
            notches={[62, 126, 190, 286, 350]}
            bleeds
          />
        </svg>
      </div>
    </section>
  );
}
