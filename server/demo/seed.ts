import type { Context } from '../context.ts';
import type { Mail } from '../modules/mail/service.ts';
import { createUsers } from '../modules/users/service.ts';
import { AppError } from '../platform/app-error.ts';
import { demoInvestor } from './investor.ts';

/**
 * Puts the sample investor into a database that does not have one, through the same verbs a person uses. The mailed
 * link is caught instead of sent: a mailbox full of letters to nobody would be a poor welcome.
 */
export async function seedDemo({ config, db, clock, logger }: Context): Promise<void> {
  let linkToken = '';
  const caught: Mail = {
    async queue({ letter }) {
      if ('linkToken' in letter) linkToken = letter.linkToken;
    },
    deliver: () => Promise.reject(new Error('nothing is delivered while seeding')),
  };
  const { codes: codeSecret } = config.secrets;
  const users = createUsers({ db, clock, logger, mail: caught, codeSecret, session: config.session });
  const clientAddress = 'demo seed';
  try {
    await users.register({ ...demoInvestor, clientAddress });
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_exists') return;
    throw error;
  }
  await users.verifyLink({ token: linkToken, clientAddress });
}
