import type { ComponentProps } from 'react';
import { Link } from 'react-router';

/** A link inside a sentence. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link className="textlink" {...props} />;
}
