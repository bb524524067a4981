import { ArrowLink } from '../app/ui/actions/arrow-link.tsx';
import { Button, ButtonLink, SubmitButton } from '../app/ui/actions/button.tsx';
import { CopyButton } from '../app/ui/actions/copy-button.tsx';
import { Copyable } from '../app/ui/actions/copyable.tsx';
import { CopySaid } from '../app/ui/actions/copying.tsx';
import type { Story } from './story.ts';

const row = 'flex flex-wrap items-center gap-3';
const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

export const actions: Story[] = [
  {
    name: 'button',
    Show: () => (
      <>
        {(['medium', 'large'] as const).map((size) => (
          <div key={size} className={row}>
            {(['primary', 'secondary', 'soft', 'quiet', 'paper'] as const).map((look) => (
              <Button key={look} look={look} size={size}>
                {look}
              </Button>
            ))}
          </div>
        ))}
        <div className={row}>
          <Button disabled>disabled</Button>
          <ButtonLink to="">link</ButtonLink>
        </div>
        <SubmitButton busy={false}>Send</SubmitButton>
        <SubmitButton busy>Send</SubmitButton>
        <SubmitButton busy={false} narrow>
          Save
        </SubmitButton>
      </>
    ),
  },
  { name: 'arrow-link', Show: () => <ArrowLink to="">See all entries</ArrowLink> },
  {
    name: 'copy-button',
    Show: () => (
      <div className={row}>
        <CopyButton text={address} label="Copy address" />
        <CopyButton text={address} label="Copy address" labelled />
      </div>
    ),
  },
  {
    name: 'copyable',
    Show: () => (
      <div className={row}>
        <Copyable what="transaction id">TS-7K4M-9XQ2</Copyable>
        <Copyable what="address" shown="bc1qar…f5mdq" isForCopying>
          {address}
        </Copyable>
      </div>
    ),
  },
  {
    name: 'copying',
    Show: () => (
      <p className="text-label text-2">
        Heard, not seen: <CopySaid state="copied" />
        <CopySaid state="failed" />
        “Copied.”, “It could not be copied. Select it by hand.”
      </p>
    ),
  },
];
