import { Facts } from '../site/prose.tsx';

/** The four texts. They say what this software does; a change to it may be a change to them. */
export const texts = [
  { id: 'using-your-data', name: 'Using Your Data', Text: UsingYourData },
  { id: 'data-retention', name: 'Data Retention', Text: DataRetention },
  { id: 'sharing-third-party-data', name: 'Sharing third party data', Text: Sharing },
  { id: 'cookies-policy', name: 'Cookies Policy', Text: Cookies },
] as const;

function UsingYourData() {
  return (
    <>
      <p>We use what you give us to run your account, and for nothing else.</p>
      <h3>What we hold</h3>
      <Facts
        facts={[
          ['Full name and e-mail', 'To sign you in, to greet you and to write to you about your account.'],
          ['Password', 'As a hash (argon2id) that cannot be turned back. Nobody here can read it.'],
          [
            'Second factors, if you add any',
            'The secret of your authenticator, sealed; the public half of a passkey and the name you gave it; recovery codes as hashes. Removed when you remove them.',
          ],
          [
            'Closed accounts',
            'Your name, your password and your second factors go at once. Your e-mail address is kept for 30 days, unless the operator sets another period, and then forgotten; a sealed copy stays for auditors of the books.',
          ],
          ['Wallet entries', 'To work out your balance and to pay you. They are the record itself.'],
          ['Withdrawal addresses', 'To send your money where you asked.'],
          [
            'Signed-in devices',
            'Network address, browser and time, to show you where you are signed in, to end a session and to tell you of a sign-in somewhere new.',
          ],
          ['Messages to support', 'Your name, e-mail and words, to answer you.'],
        ]}
      />
      <h3>What you can ask for</h3>
      <ul>
        <li>A copy of everything we hold about you. Your wallet entries can be exported at any time.</li>
        <li>A correction, where something is wrong.</li>
        <li>The end of your account, once nothing is invested and the balance is zero.</li>
      </ul>
    </>
  );
}

function DataRetention() {
  return (
    <>
      <p>We keep data as long as it has a purpose, and then remove it.</p>
      <Facts
        facts={[
          ['Codes sent by e-mail', 'Work for ten minutes and once. Removed two days later.'],
          [
            'Sessions',
            'End after an hour without use, after 24 hours at most, or when you sign out. The trace of one is removed 30 days after it expired.',
          ],
          [
            'Known browsers',
            'That you signed in with a browser before: removed 400 days after the last time, and when you sign it out from elsewhere or set a new password in another.',
          ],
          ['Notices', 'What you were told about your money and your account. Removed after 400 days.'],
          [
            'Counters against guessing',
            'Network addresses with the number of failed tries. Removed every night once they have run out.',
          ],
          ['Contact messages', 'Until the matter is settled. The operator sets the period.'],
          [
            'Security log',
            'Who signed in, changed a password or decided a payment, and from where. It can be added to but not changed; the operator sets the period.',
          ],
          ['Wallet entries', 'As long as the law asks for financial records. The operator sets the period.'],
        ]}
      />
      <h3>After you leave</h3>
      <p>
        Your half stays readable: download it before you close the account. Our half keeps the entries,
        because an entry that disappears would break the chain for everyone who wants to check it.
      </p>
    </>
  );
}

function Sharing() {
  return (
    <>
      <p>
        We sell nothing and pass nothing on for advertising. Three others are involved in running the site.
      </p>
      <Facts
        facts={[
          [
            'The mail service',
            'Delivers our e-mails, so it handles your address and what we write to you. The operator chooses it.',
          ],
          [
            'The price service',
            'Our server asks it what the coins cost. It learns nothing about you: your browser never speaks to it.',
          ],
          [
            'The coin networks',
            'A payment on a network such as Bitcoin is public: the addresses and the amount can be seen by anyone, for good.',
          ],
        ]}
      />
      <h3>In your browser</h3>
      <p>
        The pages load nothing from anybody else: no analytics, no advertising, no fonts or scripts of other
        companies. Your browser is told to refuse them.
      </p>
      <h3>When the law asks</h3>
      <p>We hand over what a court or an authority can lawfully demand, and no more.</p>
    </>
  );
}

function Cookies() {
  return (
    <>
      <p>
        Six cookies, all needed, none for tracking. That is why no banner asks you. None can be read by
        scripts or sent from another site. The first three go when you close the browser.
      </p>
      <h3>Cookies</h3>
      <Facts
        facts={[
          ['session', 'Keeps you signed in, for 24 hours at most.'],
          ['reset-flow', 'Ties a password reset to the browser that began it, until it is done.'],
          [
            'written',
            'How far our database had come when you last changed something, so that you see your change at once. Only where the site reads from a copy of it.',
          ],
          [
            'factor-flow',
            'Ties the second step of signing in to the browser that showed the password, for five minutes. Only with a second factor on.',
          ],
          ['passkey-flow', 'Ties a passkey that you were asked for to this browser, for five minutes.'],
          [
            'device',
            'Tells that you signed in with this browser before, for 400 days: so nobody who guesses at your password can keep you out, and you are written to when it is used in another.',
          ],
        ]}
      />
      <h3>What the browser remembers</h3>
      <p>Beside the cookies, the site keeps these in your browser’s own storage. We see none of it there.</p>
      <Facts
        facts={[
          ['userdata', 'What you got when you signed in: your name, e-mail and the key of this session.'],
          ['useridkey', 'Whose code is awaited, while you activate an account or reset a password.'],
          [
            'figures',
            'What your dashboard last showed, to show it without a connection, for a day at most: your sums, newest entries and next maturity.',
          ],
          [
            'record',
            'Up to which entry this browser has checked your record, so that it notices a change to an older one.',
          ],
          [
            'log',
            'The newest state of the public log that this browser has checked, so that it notices a change to its past.',
          ],
          ['theme', 'Light or dark, if you chose one.'],
        ]}
      />
      <p>
        Signing out removes userdata, figures and the session. You can also clear all of it in your browser’s
        settings. Once you have signed in, the browser also keeps the app itself, without anything of yours in
        it.
      </p>
    </>
  );
}
