import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ChoiceField } from '../app/ui/forms/choice-field.tsx';
import { CodeBoxes } from '../app/ui/forms/code-boxes.tsx';
import {
  Field,
  FieldError,
  FieldFrame,
  inputClass,
  PasswordField,
  TextAreaField,
} from '../app/ui/forms/field.tsx';
import { MaxButton, MoneyField } from '../app/ui/forms/money-field.tsx';
import { RadioRows } from '../app/ui/forms/radio-rows.tsx';
import { SearchField } from '../app/ui/forms/search-field.tsx';
import { Switch } from '../app/ui/forms/switch.tsx';
import type { Stories } from './story.ts';

const dot = (colour: string) => <i className={`size-5 rounded-full ${colour}`} />;
const options = [
  { value: 'a', name: 'Starter', mark: dot('bg-accent') },
  { value: 'b', name: 'Reserve', mark: dot('bg-notch-now') },
];

function Choice({ first = '', error }: { first?: string; error?: string }) {
  const [value, setValue] = useState(first);
  const field = { label: 'Plan', name: 'plan', prompt: 'Choose a plan', options, value, error };
  return <ChoiceField {...field} onChoose={setValue} />;
}

/** The boxes keep their own values, so they are filled as a person fills them. */
function Typed({ code, children }: { code: string; children: ReactNode }) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    group.current?.querySelectorAll('input').forEach((box, index) => {
      box.value = code[index] ?? '';
    });
  }, [code]);
  return <div ref={group}>{children}</div>;
}

function Searching({ first }: { first: string }) {
  const [value, setValue] = useState(first);
  return <SearchField label="Search entries" value={value} onSearch={setValue} />;
}

function Choosing() {
  const [chosen, setChosen] = useState<'one' | 'own' | 'none' | null>(null);
  const choices = [
    { value: 'one', name: 'One address' },
    { value: 'own', name: 'An account’s key', hint: 'Every investor has addresses of their own.' },
    { value: 'none', name: 'No address', hint: 'This network has one for everybody.', disabled: true },
  ] as const;
  return <RadioRows legend="Investors send to" choices={choices} chosen={chosen} onChoose={setChosen} />;
}

function Switching() {
  const [isOn, setOn] = useState(true);
  return <Switch label="Letters about deposits" isOn={isOn} onPress={() => setOn(!isOn)} />;
}

export const forms: Stories = {
  field: () => (
    <>
      <Field label="Full name" name="fullname" hint="As on your documents." />
      <Field label="E-mail" name="email" defaultValue="amara@" error="This is no e-mail address." />
      <PasswordField
        label="Password"
        name="password"
        defaultValue="two halves match"
        beside={<span className="text-label text-accent-text">Forgot?</span>}
      />
      <TextAreaField label="Message" name="message" defaultValue="How long does a deposit take?" />
      <FieldFrame label="A field of its own" name="own">
        {(input) => <input {...input} className={`${inputClass} font-mono`} />}
      </FieldFrame>
      <FieldError id="story-error">An error that stands by itself.</FieldError>
    </>
  ),
  'money-field': () => (
    <>
      <MoneyField label="Amount" name="amount" end={<MaxButton disabled={false} onClick={() => {}} />} />
      <MoneyField
        label="Amount"
        name="amount"
        defaultValue="1,000,000"
        error="There are $20.00 in your wallet."
        end={<MaxButton disabled onClick={() => {}} />}
      />
    </>
  ),
  'choice-field': () => (
    <>
      <Choice />
      <Choice first="a" />
      <Choice error="Choose one of them." />
    </>
  ),
  'code-boxes': () => (
    <>
      <CodeBoxes length={4} label="Code" invalid={false} />
      <Typed code="4081">
        <CodeBoxes length={4} label="Code" invalid={false} />
      </Typed>
      <Typed code="4082">
        <CodeBoxes length={4} label="Code" invalid error="This code is not the one we sent." />
      </Typed>
      <Typed code="406">
        <CodeBoxes length={6} label="Code" invalid={false} />
      </Typed>
    </>
  ),
  'radio-rows': () => <Choosing />,
  'search-field': () => (
    <>
      <Searching first="" />
      <Searching first="TS-7K4M" />
    </>
  ),
  switch: () => (
    <>
      <Switching />
      <Switch label="Letters about investments" isOn={false} onPress={() => {}} />
      <Switch label="Letters about withdrawals" isOn busy onPress={() => {}} />
      <Switch label="Letters about security" isOn disabled onPress={() => {}} />
    </>
  ),
};
