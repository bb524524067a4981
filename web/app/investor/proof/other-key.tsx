import { Button } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import type { OtherKey } from './gather.ts';

/** Both keys, letter by letter: whether the new one is right can only be found out elsewhere. */
export function Keys({ known, told }: OtherKey) {
  const keys = { 'This browser knew': known, 'It is signed with now': told };
  return (
    <dl className="mt-4 grid gap-2 text-label">
      {Object.entries(keys).map(([name, key]) => (
        <div key={name}>
          <dt className="text-2">{name}</dt>
          <dd className="font-mono wrap-anywhere">{key}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What to do about a new key under the same log, beside saving the evidence. */
export function KeySteps() {
  return (
    <>
      <li>
        A new key is announced while the old one still signs. Look for that announcement, or ask somebody who
        watches the log, and compare the key letter by letter. Do not take it from this site alone.
      </li>
      <li>
        Is it the same? Then press ‘I compared it: go on’, and this browser remembers the new key. Is it
        another, or has nobody heard of it? Then <TextLink to="/contactus">contact support</TextLink>, and
        show the file to somebody who has nothing to do with us.
      </li>
    </>
  );
}

export function GoOnButton({ onGoOn }: { onGoOn: () => void }) {
  return <Button onClick={onGoOn}>I compared it: go on</Button>;
}
