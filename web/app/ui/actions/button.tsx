import { type ComponentProps, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Spinner } from '../facts/spinner.tsx';

type Look = 'primary' | 'secondary' | 'soft' | 'quiet' | 'paper';
type Size = 'small' | 'medium' | 'large';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-press',
  secondary: 'bg-surface text-1 inset-ring inset-ring-line-strong hover:bg-sunken',
  soft: 'bg-accent-tint text-accent-text hover:bg-accent-tint-2',
  quiet: 'text-1 hover:bg-sunken',
  paper: 'bg-white text-ink-on-paper hover:bg-on-ink',
};

const sizes: Record<Size, string> = {
  small: 'min-h-11 px-3.5 rounded-control text-label tablet:min-h-9 tablet:rounded-small',
  medium: 'min-h-11 px-[18px] rounded-control text-control',
  large: 'min-h-[54px] px-[26px] rounded-large text-large',
};

/** How a button looks that has to wait for something else first. */
function offClass(look: Look): string {
  const ground =
    look === 'quiet'
      ? 'disabled:bg-transparent'
      : 'disabled:bg-sunken disabled:inset-ring disabled:inset-ring-line';
  return `disabled:cursor-not-allowed disabled:text-3 disabled:active:translate-y-0 ${ground}`;
}

function classOf(look: Look, size: Size, extra: string): string {
  return `inline-flex items-center justify-center gap-2 font-semibold whitespace-nowrap transition-[background-color,translate] duration-140 ease-out active:translate-y-px ${looks[look]} ${sizes[size]} ${extra}`;
}

interface Shape {
  look?: Look;
  size?: Size;
}

interface ButtonProps extends ComponentProps<'button'>, Shape {
  /** Waits for an answer: it cannot be pressed again, looks as before, and keeps the focus unless it sends a form. */
  busy?: boolean;
}

export function Button(props: ButtonProps) {
  const {
    look = 'secondary',
    size = 'medium',
    busy = false,
    disabled = false,
    className = '',
    onClick,
    ...rest
  } = props;
  const isSending = busy && rest.type === 'submit';
  const stillClass = busy && !disabled ? 'cursor-progress' : offClass(look);
  return (
    <button
      type="button"
      disabled={disabled || isSending}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={classOf(look, size, `${stillClass} ${className}`)}
      {...rest}
    />
  );
}

/**
 * The button that sends a form is disabled meanwhile, so that Enter in a field sends nothing either, and loses the focus to
 * the page or to the modal around it; whoever pressed it with the keyboard finds it again where it was.
 */
function useFocusKept(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const isLost = document.activeElement?.contains(button.current);
    if (wasBusy.current && !busy && isLost) button.current?.focus();
    wasBusy.current = busy;
  }, [busy]);
  return button;
}

export function ButtonLink(props: ComponentProps<typeof Link> & Shape) {
  const { look = 'primary', size = 'medium', className = '', ...rest } = props;
  return <Link prefetch="intent" className={classOf(look, size, className)} {...rest} />;
}

interface SubmitButtonProps {
  busy: boolean;
  busyLabel?: string;
  /** As wide as its words, for a form that is one part of a screen among others. */
  narrow?: boolean;
  children: string;
}

/** As it is while what was sent before the app was there is held (`native/hold.ts`). */
const heldClass =
  'aria-busy:cursor-progress aria-busy:before:size-4 aria-busy:before:animate-spin aria-busy:before:rounded-full aria-busy:before:border-2 aria-busy:before:border-current aria-busy:before:border-r-transparent';

/** The button that sends a form: as wide as the form, and says so while it waits for the answer. */
export function SubmitButton({ busy, busyLabel = 'Loading..', narrow = false, children }: SubmitButtonProps) {
  return (
    <Button
      ref={useFocusKept(busy)}
      type="submit"
      look="primary"
      size={narrow ? 'medium' : 'large'}
      busy={busy}
      className={`${heldClass} ${narrow ? 'justify-self-start' : 'w-full'}`}
    >
      {busy && <Spinner />}
      {busy ? busyLabel : children}
    </Button>
  );
}
