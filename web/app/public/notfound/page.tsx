import { pageMeta } from '../../brand.ts';
import { ErrorScene } from '../../domain/page/error-scene.tsx';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { Stick } from '../../ui/brand/stick.tsx';

export function meta() {
  return [
    ...pageMeta('Page not found', 'Nothing fits this address.'),
    { name: 'robots', content: 'noindex' },
  ];
}

export default function NotFound() {
  return (
    <ErrorScene
      title="Page not found"
      text="Nothing of ours fits this address. It may have been mistyped, or the page has moved."
      art={
        <Stick
          x={56}
          y={66}
          half={68}
          gap={32}
          upperEnd={520}
          lowerEnd={436}
          notchWidth={24}
          notchDepth={44}
          notches={[116, 180, 244, 356]}
          lowerNotches={[148, 220, 318, 384]}
          bleeds
        />
      }
    >
      <ButtonLink to="/" size="large">
        Go to Home
      </ButtonLink>
      <ButtonLink to="/contactus" look="secondary" size="large">
        Contact Us
      </ButtonLink>
    </ErrorScene>
  );
}
