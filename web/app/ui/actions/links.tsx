import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

/** A link that stands by itself and leads on. */
export function ArrowLink({ children, className = '', ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={`inline-flex min-h-11 items-center gap-1.5 font-semibold text-accent-text underline-offset-3 hover:underline ${className}`}
      {...rest}
    >
      {children}
      <ArrowRight className="size-4" aria-hidden="true" />
    </Link>
  );
}

/** The way back, above the title of a page that is reached from another one. */
export function BackLink({ children, className = '', ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={`inline-flex min-h-11 items-center gap-1.5 text-control font-label text-2 hover:text-1 ${className}`}
      {...rest}
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      {children}
    </Link>
  );
}

/** A link inside a sentence. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link className="textlink" {...props} />;
}
