import record from 'virtual:sample-record';
import { anyCoin } from '@tallystick/contract/networks';
import { ArrowDown, Info } from 'lucide-react';
import { Link } from 'react-router';
import { riskLine } from '../../domain/plans/plan-offer.ts';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { Stick } from '../../ui/brand/stick.tsx';
import { HeroArt } from './hero-art.tsx';

export function Hero() {
  return (
    <section className="wrap grid items-center pt-6 pb-9 tablet:grid-cols-[minmax(0,1fr)_minmax(0,44%)] tablet:gap-8 tablet:pt-10 tablet:pb-14 desktop:grid-cols-[minmax(0,1fr)_600px] desktop:gap-14">
      <div>
        <h1 className="text-hero text-wrap">
          Buy &amp; Invest <br />
          Crypto Tokens <br />
          Easily
        </h1>
        <p className="mt-[18px] max-w-[480px] text-lede text-2 tablet:mt-6">
          {`Fund your wallet in ${anyCoin}. Pick a plan with its amount, days and return in writing. Then follow every dollar in a record you hold half of.`}
        </p>
        <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-2 max-tablet:flex-col max-tablet:items-stretch tablet:mt-9">
          <ButtonLink to="/signup" size="large">
            Get Started
          </ButtonLink>
          <a
            href="#plans"
            className="inline-flex min-h-11 items-center justify-center gap-1.5 font-semibold text-accent-text underline-offset-3 hover:underline"
          >
            See the plans
            <ArrowDown className="size-4" aria-hidden="true" />
          </a>
        </div>
        <p className="mt-4 flex max-w-[440px] gap-2.5 text-label/[21px] text-3 tablet:mt-9">
          <Info className="mt-0.5 size-[18px] shrink-0" strokeWidth={1.75} aria-hidden="true" />
          {riskLine}
        </p>
        <ThinStick />
      </div>
      <Link
        to="/proof"
        aria-label="Proof: what is owed and held"
        className="block rounded-panel max-tablet:hidden"
      >
        <HeroArt record={record} />
      </Link>
    </section>
  );
}

function ThinStick() {
  return (
    <svg
      viewBox="0 0 370 58"
      className="mt-8 -mr-5 block w-[calc(100%+20px)] tablet:hidden"
      aria-hidden="true"
    >
      <Stick
        half={26}
        gap={6}
        upperEnd={370}
        lowerEnd={322}
        notchWidth={10}
        notchDepth={18}
        notches={[40, 68, 96, 148, 176, 204, 256, 284]}
        bleeds
      />
    </svg>
  );
}
