import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useId, useRef } from 'react';
import { type CodeDigits, enterDigits, eraseDigit } from './code-digits.ts';
import { FieldError } from './field.tsx';

interface CodeBoxesProps {
  length: number;
  label: string;
  error?: string | undefined;
  /** True where the code was refused as a whole. */
  invalid: boolean;
}

/**
 * One box per digit, named code1, code2, … The boxes keep their own values, so a form reads them as fields.
 * They carry no maxlength: it would cut off a pasted or auto-filled code after its first digit.
 */
export function CodeBoxes({ length, label, error, invalid }: CodeBoxesProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  const boxes = () => [...(group.current?.querySelectorAll('input') ?? [])];

  return (
    <fieldset ref={group} className="grid gap-1.5">
      <legend className="sr-only">{label}</legend>
      <div className={length > 4 ? manyClass : 'grid grid-cols-4 gap-3'}>
        {Array.from({ length }, (_, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes never change places
            key={index}
            name={`code${index + 1}`}
            type="text"
            inputMode="numeric"
            pattern="[0-9]"
            required
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            aria-label={`Digit ${index + 1} of ${length}`}
            aria-invalid={invalid || error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            className="h-19 w-full rounded-code bg-surface text-center text-digit font-semibold tabular-nums inset-ring inset-ring-line-strong focus:ring-4 focus:ring-accent-tint focus:inset-ring-2 focus:inset-ring-accent-text focus:outline-none aria-invalid:inset-ring-2 aria-invalid:not-focus:inset-ring-debit"
            onFocus={(event) => event.currentTarget.select()}
            onBeforeInput={(event) => {
              if (!/\d/.test(event.data)) event.preventDefault();
            }}
            onInput={(event) => onInput(event, boxes(), index)}
            onPaste={(event) => onPaste(event, boxes(), index)}
            onKeyDown={(event) => onKeyDown(event, boxes(), index)}
          />
        ))}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  );
}

/** Six boxes share the width of four, so each is lower and its digit smaller. */
const manyClass =
  'grid grid-cols-6 gap-1 min-[351px]:gap-1.5 tablet:gap-2 [&>input]:h-12 [&>input]:rounded-large [&>input]:text-title min-[351px]:[&>input]:h-13.5 min-[351px]:[&>input]:text-[1.375rem] tablet:[&>input]:h-15 tablet:[&>input]:text-[1.625rem]';

type Boxes = readonly HTMLInputElement[];

const digitsOf = (boxes: Boxes) => boxes.map((box) => box.value);

function show(boxes: Boxes, entry: CodeDigits) {
  boxes.forEach((box, index) => {
    box.value = entry.digits[index] ?? '';
  });
  focusBox(boxes[entry.focus]);
}

function focusBox(box: HTMLInputElement | undefined) {
  box?.focus();
  box?.select();
}

function onInput(event: FormEvent<HTMLInputElement>, boxes: Boxes, at: number) {
  const { value } = event.currentTarget;
  if (value === '') return;
  const { inputType, data } = event.nativeEvent as InputEvent;
  // With the caret beside a digit the box now holds two: the typed one counts.
  const text = inputType === 'insertText' ? (data ?? value) : value;
  const before = digitsOf(boxes).map((digit, index) => (index === at ? '' : digit));
  show(boxes, enterDigits(before, at, text));
}

function onPaste(event: ClipboardEvent<HTMLInputElement>, boxes: Boxes, at: number) {
  event.preventDefault();
  show(boxes, enterDigits(digitsOf(boxes), at, event.clipboardData.getData('text')));
}

function onKeyDown(event: KeyboardEvent<HTMLInputElement>, boxes: Boxes, at: number) {
  if (event.key === 'Backspace') {
    event.preventDefault();
    show(boxes, eraseDigit(digitsOf(boxes), at));
  } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    event.preventDefault();
    focusBox(boxes[at + (event.key === 'ArrowLeft' ? -1 : 1)]);
  }
}
