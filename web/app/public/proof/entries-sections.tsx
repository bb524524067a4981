import type { ReactNode } from 'react';
import { Live, LivePart, Where } from './live-part.tsx';
import { SignaturePart } from './signature-part.tsx';

const rowClass =
  'grid gap-x-6 gap-y-1 border-t border-line py-4 tablet:grid-cols-[minmax(0,0.7fr)_minmax(0,1.3fr)]';

function State() {
  return (
    <span className="inline-flex h-6 items-center rounded-[7px] bg-sunken px-2 text-[12px]/none font-label text-2 inset-ring inset-ring-line">
      <Live text="state" />
    </span>
  );
}

function Head({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 className="text-section">{title}</h2>
      <p className="mt-3 max-w-[66ch] text-sub text-2 tablet:mt-4">{children}</p>
    </>
  );
}

export function PlanChanges() {
  return (
    <section className="wrap rhythm">
      <Head title="Every change of a plan">
        Since the beginning, newest first. A plan’s terms are frozen into an investment when it is made; this
        list shows what was offered when.
      </Head>
      <LivePart
        id="plan-changes"
        what="The changes of plans"
        heightClass="h-64"
        none="No plan was ever offered."
      >
        <ol data-entries className="border-b border-line tabular-nums">
          <li className={rowClass}>
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <b className="font-semibold">
                <Live text="name" />
              </b>
              <Live text="version" className="text-label text-2" />
              <State />
            </p>
            <div className="min-w-0">
              <p className="text-control">
                <Live text="terms" />
              </p>
              <Where text="again" className="text-control">
                What it pays back may be invested in it again.
              </Where>
              <p className="text-caption text-3">
                <Live text="when" />
              </p>
            </div>
          </li>
        </ol>
      </LivePart>
    </section>
  );
}

export function Addresses() {
  return (
    <section className="wrap rhythm">
      <Head title="Payment addresses that are ours">
        Before you send money, compare the address on your screen with this list. An address that everybody
        uses stands here letter by letter, and can sign that it is ours. One that is yours alone is made from
        a key whose SHA-256 stands here: the key cannot be exchanged without a new entry. Whoever names
        another address, by e-mail or chat, is not us.
      </Head>
      <LivePart
        id="addresses"
        what="The payment addresses"
        heightClass="h-64"
        none="No way to pay has been set up yet."
      >
        <ul data-entries className="border-b border-line tabular-nums">
          <li className={rowClass}>
            <div>
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <b className="font-semibold">
                  <Live text="name" />
                </b>
                <State />
              </p>
              <p className="text-label text-2">
                <Live text="network" />
              </p>
            </div>
            <div className="min-w-0">
              <Where text="derived" className="text-control">
                Everybody has an address of their own, made from one key. None is listed here: the list would
                show what everybody pays in. Compare the SHA-256 of the key instead: it stays the same until a
                new entry of the log names another key.
              </Where>
              <Where text="tagged" className="text-control">
                One address for everybody; your own tag says that it is you.
              </Where>
              <Where text="fixed" className="text-control">
                One address for everybody.
              </Where>
              <Where text="cold" className="text-control">
                What is held lies here. Nobody pays to it.
              </Where>
              <p data-optional className="font-mono text-label wrap-anywhere">
                <Live text="address" />
              </p>
              <p data-optional className="text-label wrap-anywhere text-2">
                Key with the SHA-256 <Live text="key" className="font-mono" />
              </p>
              <p data-optional className="text-label wrap-anywhere text-2">
                Addresses under <Live text="path" className="font-mono" />
              </p>
              <p data-optional className="text-caption text-3">
                <Live text="when" />
              </p>
              <SignaturePart />
            </div>
          </li>
        </ul>
      </LivePart>
    </section>
  );
}
