import type { ReactNode } from 'react';
import { Prose } from '../site/prose.tsx';
import { siteOrigin } from '../site/share-meta.ts';

/** How to check all of this without us, and how to help others to. */
export function CheckSection() {
  const site = siteOrigin();
  return (
    <section className="wrap rhythm grid gap-10 desktop:grid-cols-2 desktop:gap-18">
      <Prose>
        <h2>Check it with others’ tools</h2>
        <p>
          The log has the open formats of <Out to="https://c2sp.org/tlog-tiles">tlog-tiles</Out>,{' '}
          <Out to="https://c2sp.org/tlog-checkpoint">tlog-checkpoint</Out> and{' '}
          <Out to="https://c2sp.org/signed-note">signed-note</Out>, hashed as RFC 6962 says. Programs that we
          did not write read it, for example those made of Go’s package <code>golang.org/x/mod/sumdb</code>.
        </p>
        <pre>
          <code className="max-tablet:text-[12px]">{`curl ${site}/log/vkey\ncurl ${site}/log/checkpoint`}</code>
        </pre>
        <p>
          Our own auditor reads the whole log, checks every entry, and that it still contains what it was the
          last time. Given the key of a witness with <code>--witness</code>, it also checks that others are
          shown the same:
        </p>
        <pre>
          <code className="max-tablet:text-[12px]">{`npm run log:audit -- --url ${site} --state log-of-last-time`}</code>
        </pre>
        <p>
          <code>docs/trust.md</code> in the source has every format, exactly enough to write a verifier
          without asking, and says what is proven and what is not.
        </p>
        <h3>Your own money</h3>
        <p>
          Investors find the check of their own money behind <b>Both halves match</b> on their dashboard, and
          can save it as a file.{' '}
          <a className="textlink" href="/verify.html">
            /verify.html
          </a>{' '}
          checks such a file without any network: save that page too, and it works when we are gone.
        </p>
      </Prose>
      <Prose>
        <h2>Run a witness</h2>
        <p>
          A witness is a small program on somebody else’s machine. It keeps the last state of the log that it
          signed and refuses one that does not go on from there. The more of them there are, and the less they
          have to do with us, the harder it is to show two people two different books.
        </p>
        <pre>
          <code className="max-tablet:text-[12px]">
            {"npm run witness -- --name your.example/witness --log 'the key of the log'"}
          </code>
        </pre>
        <p>
          It is a few files without any package, so that it can be read and copied before it is run. It prints
          its own key: write to us with that and with its address.
        </p>
        <h3>What none of this proves</h3>
        <ul>
          <li>
            That somebody who never looks was not left out of the total: everybody can only find themselves.
          </li>
          <li>
            That what is held stays held after the moment of the statement, or is not owed to others as well.
          </li>
          <li>
            That an amount which an operator entered by hand is there: no chain shows it, and it is marked.
          </li>
          <li>That an investment pays off. You can lose money, including all of it.</li>
        </ul>
      </Prose>
    </section>
  );
}

function Out({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="textlink" href={to} rel="noreferrer">
      {children}
    </a>
  );
}
