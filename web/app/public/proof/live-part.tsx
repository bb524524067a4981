import type { ReactNode } from 'react';
import { Button } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';

interface LivePartProps {
  id: string;
  /** What is shown here, as in "… are shown with JavaScript". */
  what: string;
  /** How high it is while it is on its way. */
  heightClass: string;
  none: string;
  /** Its markup, with `data-text` where a text belongs. */
  children: ReactNode;
}

/** A part of the page that comes from the server; `show-part.ts` shows one of its templates. */
export function LivePart({ id, what, heightClass, none, children }: LivePartProps) {
  return (
    <div id={id} className="mt-6 tablet:mt-8">
      <noscript>
        <p className="text-sub text-2">{what} are shown with JavaScript.</p>
      </noscript>
      <div className="noscript:hidden">
        <Waiting heightClass={heightClass} />
      </div>
      <template data-shown>{children}</template>
      <template data-none>
        <QuietNotice>{none}</QuietNotice>
      </template>
      <template data-failed>
        <QuietNotice role="status">
          <p>{what} could not be loaded.</p>
          <Button className="mt-3">Retry</Button>
        </QuietNotice>
      </template>
      <template data-waiting>
        <Waiting heightClass={heightClass} />
      </template>
    </div>
  );
}

/** A text of the page that is shown only where the script says so: what stands here need not be in the script. */
export function Where({ text, className, children }: { text: string; className: string; children: string }) {
  return (
    <p data-optional className={className}>
      {children}
      <span data-text={text} hidden />
    </p>
  );
}

/** A text that the server brings. */
export function Live({ text, className }: { text: string; className?: string }) {
  return <span data-text={text} className={className} />;
}

export function KeyFigure({ name, value, note }: { name: string; value: string; note: ReactNode }) {
  return (
    <div className="px-5 py-4 tablet:px-6">
      <dt className="text-label text-2">{name}</dt>
      <dd className="text-title font-semibold">
        <Live text={value} />
      </dd>
      <dd className="text-caption text-3">{note}</dd>
    </div>
  );
}

function Waiting({ heightClass }: { heightClass: string }) {
  return (
    <div aria-busy="true">
      <p className="sr-only">Loading</p>
      <Skeleton className={heightClass} />
    </div>
  );
}
