import { type Clock, dayMs } from '../../platform/clock.ts';
import { forgetPassed } from '../../platform/http/throttle.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db } from '../../platform/postgres/db.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { Mail } from '../mail/service.ts';
import type { Post } from '../notices/service.ts';
import { createAccounts } from './accounts.ts';
import { createClosing } from './closed/closing.ts';
import { deleteCodesBefore } from './code-store.ts';
import { createCodes } from './codes.ts';
import { deleteDevicesBefore } from './device-store.ts';
import { createAssertions } from './factors/assertions.ts';
import { createBeginning } from './factors/beginning.ts';
import { deleteBegunBefore } from './factors/factor-store.ts';
import { deleteFlowsBefore } from './factors/flow-store.ts';
import { createKeeping } from './factors/keeping.ts';
import { createPasskeyChecks } from './factors/passkeys.ts';
import { createSecondStep } from './factors/second-step.ts';
import { createShowing } from './factors/showing.ts';
import { createStepUp } from './factors/step-up.ts';
import { createHashing, type HashingCost } from './hashing.ts';
import { createOperatorBeginning } from './operators/beginning.ts';
import { createOperatorKeeping } from './operators/keeping.ts';
import { createOperatorPasskeySignIn } from './operators/passkey-sign-in.ts';
import { createOperatorSessions } from './operators/sessions.ts';
import { createOperatorShowing } from './operators/showing.ts';
import { deleteOperatorSessionsBefore } from './operators/store.ts';
import { createPasswords } from './passwords.ts';
import { createRemovalEnding } from './removals/ending.ts';
import { deleteRemovalsBefore } from './removals/removal-store.ts';
import { createRemoving } from './removals/removing.ts';
import { removalRules } from './removals/rules.ts';
import { deviceRules, emailKey } from './rules.ts';
import { deleteSessionsBefore } from './sessions/session-store.ts';
import { createSessions } from './sessions/sessions.ts';
import { deleteUnproven } from './store.ts';

export type { LetterAbout, LetterTo } from './accounts.ts';
export type { Client } from './credentials.ts';
export { passkeyToWire, shownIn } from './factors/wire.ts';
export type { User } from './store.ts';

/** For the cookie that a browser is known by. */
export const deviceAgeSecondsMax = deviceRules.lifeMs / 1000;

interface UsersNeeds {
  db: Db;
  clock: Clock;
  mail: Post;
  /** To operators, who have no notices. */
  operatorMail: Pick<Mail, 'queue'>;
  logger: Logger;
  codeSecret: Buffer;
  session: { idleMs: number; absoluteMs: number };
  /** Keeps the secrets of authenticators unreadable. */
  totpSealer: Sealer;
  /** What authenticators and passkeys call us. */
  siteName: string;
  /** For whom passkeys are made. */
  siteUrl: string;
  /** Nobody signs in with these, whatever the password. */
  refusedEmails: string[];
  hashingCost?: HashingCost | undefined;
}

/** Codes count towards daily limits, so they are kept a little longer than a day. */
const codesKeptMs = 2 * dayMs;
const sessionsKeptMs = 30 * dayMs;
/** An authenticator that was begun and never confirmed; what was under way for minutes. */
const begunKeptMs = dayMs;

export function createUsers(needs: UsersNeeds) {
  const { db, clock, mail, logger, codeSecret, session, totpSealer: sealer, siteName, siteUrl } = needs;
  const refused = new Set(needs.refusedEmails.map(emailKey));
  const hashing = createHashing(needs.hashingCost);
  const codes = createCodes({ clock, mail, logger, secret: codeSecret });
  const begin = createBeginning({ clock, mail, absoluteMs: session.absoluteMs });
  const checks = createPasskeyChecks({ siteUrl, siteName });
  const ending = createRemovalEnding({ clock, mail });
  const showing = createShowing({ db, clock, mail, sealer, checks, ending });
  const { askForFactor, ...secondStep } = createSecondStep({ db, clock, begin, showing, checks, refused });
  const show = createOperatorShowing({ clock, sealer, useAssertion: createAssertions({ clock, checks }) });
  const operators = { db, clock, hashing, refused, begin: createOperatorBeginning({ clock }), show };
  const { idleMs } = session;
  return {
    ...secondStep,
    ...createStepUp({ db, clock, mail, codes, showing, checks }),
    ...createKeeping({ db, clock, mail, sealer, checks, siteName, ending }),
    ...createRemoving({ db, clock, mail, ending }),
    ...createAccounts({ db, clock, codes, hashing, mail }),
    ...createSessions({ db, clock, codes, hashing, mail, refused, idleMs, begin, askForFactor }),
    ...createOperatorSessions({ ...operators, sealer, siteName }),
    ...createOperatorPasskeySignIn({ ...operators, checks }),
    ...createOperatorKeeping({ db, clock, mail: needs.operatorMail, checks, show }),
    ...createPasswords({ db, clock, codes, hashing, mail }),
    ...createClosing({ db, clock, hashing, mail }),

    /** Once an hour: what no rule needs any more is not kept. Accounts come last: what hung on them is gone by then. */
    async forgetExpired() {
      const now = clock.now().getTime();
      await deleteCodesBefore(db, new Date(now - codesKeptMs));
      await deleteFlowsBefore(db, new Date(now - begunKeptMs));
      await deleteBegunBefore(db, new Date(now - begunKeptMs));
      await deleteRemovalsBefore(db, new Date(now - removalRules.keptMs));
      await deleteSessionsBefore(db, new Date(now - sessionsKeptMs));
      await deleteOperatorSessionsBefore(db, new Date(now - sessionsKeptMs));
      await deleteDevicesBefore(db, new Date(now - deviceRules.lifeMs));
      await forgetPassed(db, new Date(now));
      await deleteUnproven(db);
    },
  };
}

export type Users = ReturnType<typeof createUsers>;
