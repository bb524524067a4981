import { readBrand } from '../config/content.ts';
import { type Context, createMoney } from '../context.ts';
import type { Mail } from '../modules/mail/service.ts';
import { createUsers } from '../modules/users/service.ts';
import { createSealer } from '../platform/sealing.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The same verbs that people use, on a clock that is set back: a sample history is lived through, not written. Its
 * letters are caught: a mailbox full of them would be a poor welcome.
 */
export function openPast({ config, db, logger, prices }: Context) {
  const present = Date.now();
  let at = present;
  const clock = { now: () => new Date(at) };
  let linkToken = '';
  const catchToken = (letter: object) => {
    if ('linkToken' in letter) linkToken = String(letter.linkToken);
  };
  const mail: Mail = {
    queue: async ({ letter }) => catchToken(letter),
    queueAll: async () => {},
    deliver: () => Promise.reject(new Error('nothing is delivered while the past is lived through')),
    server: { isAway: () => false, isBack: async () => true },
    forgetSent: async () => {},
  };
  const users = createUsers({
    db,
    clock,
    logger,
    mail,
    codeSecret: config.secrets.codes,
    session: config.session,
    totpSealer: createSealer(config.secrets.totp),
    siteName: readBrand().name,
    refusedEmails: [],
  });
  return {
    users,
    ...createMoney({ db, clock, logger, users, prices }),
    goTo({ daysAgo }: { daysAgo: number }) {
      at = present - Math.round(daysAgo * dayMs);
    },
    daysAgo: () => (present - at) / dayMs,
    linkToken: () => linkToken,
  };
}

export type Past = ReturnType<typeof openPast>;
