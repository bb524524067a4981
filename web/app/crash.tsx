import { Copy, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { brand } from './brand.ts';
import { BrandLink } from './domain/page/brand-link.tsx';
import { ErrorScene } from './domain/page/error-scene.tsx';
import { Button } from './ui/actions/button.tsx';
import { Stick } from './ui/brand/stick.tsx';

/** What stands in for a page that broke. It needs nothing that could have broken with it: no data, no session. */
export function Crash({ error }: { error: unknown }) {
  return (
    <>
      <title>{`Unexpected Application Error! | ${brand.name}`}</title>
      <header className="h-20">
        <div className="wrap flex h-full items-center">
          <BrandLink to="/" />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="grid flex-1 pb-18 tablet:items-center">
        <ErrorScene
          title="Unexpected Application Error!"
          text="This page broke while it was being drawn. Your record is kept on the server, not in this page. If you had just pressed a button, look at Transactions before you press it again."
          art={<BrokenStick />}
          below={<Reference error={error} />}
        >
          <Button look="primary" size="large" onClick={() => window.location.reload()}>
            <RotateCw className="size-4" aria-hidden="true" />
            Reload this page
          </Button>
          {/* A whole new page: what is broken in this one must not come along. */}
          <Button look="secondary" size="large" onClick={() => window.location.assign('/')}>
            Go to Home
          </Button>
        </ErrorScene>
      </main>
    </>
  );
}

function Reference({ error }: { error: unknown }) {
  const [at] = useState(() => new Date());
  const [copied, setCopied] = useState(false);
  const reference = crashReference(error);
  const time = `${at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

  async function copy() {
    await navigator.clipboard.writeText(
      `${reference}, ${time}, ${window.location.pathname}, ${String(error)}`,
    );
    setCopied(true);
  }

  return (
    <p className="mt-7 flex flex-wrap items-center gap-x-2 text-label text-3 tabular-nums">
      Reference <span className="font-mono text-caption text-2">{reference}</span> {time}
      {/* Browsers give pages the clipboard over https only. */}
      {'clipboard' in navigator && (
        <Button look="quiet" className="-ml-2.5 px-2.5 text-label tablet:ml-0" onClick={copy}>
          <Copy className="size-4" aria-hidden="true" />
          <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
        </Button>
      )}
    </p>
  );
}

function BrokenStick() {
  const piece = { y: 84, half: 56, gap: 12, notchWidth: 18, notchDepth: 36 };
  return (
    <>
      <g transform="rotate(-4 160 150)">
        <Stick {...piece} x={56} upperEnd={246} lowerEnd={232} notches={[100, 152, 204]} />
      </g>
      <g transform="translate(14 22) rotate(5 380 150)">
        <Stick {...piece} x={276} upperEnd={466} lowerEnd={452} notches={[320, 372, 424]} />
      </g>
    </>
  );
}

/**
 * A short name for a crash, the same for the same fault, so that two readers who report it can be seen to mean one
 * thing. FNV-1a over the error's own text.
 */
function crashReference(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  const hex = hash.toString(16).padStart(8, '0');
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}
