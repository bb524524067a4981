import { removalWaitDays } from '@tallystick/contract/removals';
import { brand } from '../../brand.ts';
import { TextLink } from '../../ui/actions/links.tsx';

/** There is no quick way, so what there is is told before anybody looks for one. */
export function LostFactor() {
  return (
    <details className="mt-2 text-control text-2">
      <summary className="textlink inline-flex min-h-11 cursor-pointer items-center">
        I lost my second factor
      </summary>
      <div className="grid gap-2.5 pt-1 pb-2">
        <p>A recovery code stands in for it. Without one, too, there is a slow way back:</p>
        <ol className="grid list-decimal gap-1.5 pl-5">
          <li>
            Write to{' '}
            <a className="textlink wrap-anywhere" href={`mailto:${brand.supportEmail}`}>
              {brand.supportEmail}
            </a>{' '}
            or by the <TextLink to="/contactus">contact page</TextLink>. We find out whether it is you.
          </li>
          <li>Two of our operators agree to remove your second factors, and we tell you by e-mail.</li>
          <li>
            {removalWaitDays} days pass, in which you can stop it with the link of that letter. Then your
            password alone signs you in.
          </li>
        </ol>
        <p>Nobody of us can make it faster, and nobody asks for your password.</p>
      </div>
    </details>
  );
}
