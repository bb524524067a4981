import { Button, ButtonLink, SubmitButton } from '../app/ui/actions/button.tsx';
import { Copyable, CopyButton } from '../app/ui/actions/copy.tsx';
import { ArrowLink, BackLink, TextLink } from '../app/ui/actions/links.tsx';
import type { Stories } from './story.ts';

const row = 'flex flex-wrap items-center gap-3';
const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

export const actions: Stories = {
  button: () => (
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
        <Button disabled look="quiet">
          disabled quiet
        </Button>
        <ButtonLink to="">link</ButtonLink>
      </div>
      <SubmitButton busy={false}>Send</SubmitButton>
      <SubmitButton busy>Send</SubmitButton>
      <SubmitButton busy={false} narrow>
        Save
      </SubmitButton>
    </>
  ),
  links: () => (
    <div className={row}>
      <ArrowLink to="">See all entries</ArrowLink>
      <BackLink to="">Settings</BackLink>
      <TextLink to="">Log In</TextLink>
    </div>
  ),
  copy: () => (
    <div className={row}>
      <CopyButton text={address} label="Copy address" />
      <CopyButton text={address} label="Copy address" labelled />
      <Copyable what="transaction id">TS-7K4M-9XQ2</Copyable>
      <Copyable what="address" shown="bc1qar…f5mdq" isForCopying>
        {address}
      </Copyable>
    </div>
  ),
};
