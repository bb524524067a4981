import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from './config/config.ts';
import { readBrand, readSamplePrices, sampleContent } from './config/content.ts';
import { refuseForeignLogKey, refuseLogOfOne } from './config/log-files.ts';
import { type Inbox, startInbox } from './demo/inbox.ts';
import { samplePeople } from './demo/people.ts';
import { createSampleChain, type SampleChain, sampleHeight } from './demo/sample-chain.ts';
import { startSampleWitness } from './demo/sample-witness.ts';
import { addFigures } from './figures.ts';
import { type Account, createAccount } from './modules/account/service.ts';
import { type BoundsRegister, createBounds } from './modules/bounds/service.ts';
import { createFunding, type Funding } from './modules/funding/service.ts';
import { createInvestment, type Investments } from './modules/investment/service.ts';
import { createLedger, type Ledger } from './modules/ledger/service.ts';
import { createLog, logVkey, type PublicLog } from './modules/log/service.ts';
import { type Contact, createContact, createMail, type Mail } from './modules/mail/service.ts';
import { createNetworks, type Networks } from './modules/networks/service.ts';
import { createNotices, type Notices } from './modules/notices/service.ts';
import { type Console, createOperator } from './modules/operator/service.ts';
import { createPrices, type Prices } from './modules/prices/service.ts';
import { createPapers, type Papers } from './modules/proof/papers/service.ts';
import { createProof, type Proof, statementLock } from './modules/proof/service.ts';
import { type AddressSigning, createSigning } from './modules/proof/signing/service.ts';
import type { HashingCost } from './modules/users/hashing.ts';
import { createUsers, type Users } from './modules/users/service.ts';
import { createWithdrawal, type Withdrawals } from './modules/withdrawal/service.ts';
import { openChains } from './platform/chains/open-chains.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createTransport } from './platform/mail/smtp.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import { openDatabase } from './platform/postgres/database.ts';
import type { Db } from './platform/postgres/db.ts';
import { openReads, type Reads } from './platform/postgres/replica/reads.ts';
import { createSealer } from './platform/sealing.ts';
import { refusing } from './platform/start-refusal.ts';
import { createTelling, lettersOf, type Telling } from './telling.ts';

/** Everything the server is made of, built here and nowhere else, in the order of what needs what. */
export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  metrics: Metrics;
  db: Db;
  /** Where requests read what may be a moment old. */
  reads: Reads;
  owner: pg.Pool;
  log: PublicLog;
  bounds: BoundsRegister;
  ledger: Ledger;
  prices: Prices;
  networks: Networks;
  mail: Mail;
  contact: Contact;
  notices: Notices;
  users: Users;
  investment: Investments;
  funding: Funding;
  withdrawal: Withdrawals;
  account: Account;
  proof: Proof;
  operator: Console;
  papers: Papers;
  signing: AddressSigning;
  telling: Telling;
  /** Demo mode without an SMTP server of its own. */
  inbox: Inbox | null;
  /** Demo mode alone. */
  sampleChain: SampleChain | null;
  /** Where the embedded database keeps its data; null when DATABASE_URL names another. */
  embeddedDataDir: string | null;
  /** Comes true when the embedded database cannot be kept running; says why. */
  databaseLost: Promise<Error>;
  close(): Promise<void>;
}

export interface Overrides {
  clock?: Clock;
  logger?: Logger;
  /** A throw-away test database may be fast instead of safe. */
  durabilityUnchecked?: boolean;
  /** Tests make many people, and few of them are about how hard a password is to guess. */
  hashingCost?: HashingCost;
  /** Whoever starts the server has changed their mind. */
  stopping?: AbortSignal;
  /** How many money commands share a transaction at most; a bench shows with 1 what they gain by it. */
  batchSizeMax?: number;
}

type MoneyNeeds = Parameters<typeof createLedger>[0] & { users: Users; prices: Prices; networks: Networks };

/** The modules that know where money is and may go. */
export function createMoney({ users, prices, networks, ...ledgerNeeds }: MoneyNeeds) {
  const { db, clock, logger } = ledgerNeeds;
  const ledger = createLedger(ledgerNeeds);
  const needs = { db, clock, logger, users, prices, networks, ledger, bounds: createBounds({ db, clock }) };
  const funding = createFunding(needs);
  const withdrawal = createWithdrawal({ ...needs, funding });
  return { bounds: needs.bounds, ledger, investment: createInvestment(needs), funding, withdrawal };
}

/** How people are known, and who is not taken for one. */
const accountsOf = ({ mode, secrets, session, siteUrl }: Config, { hashingCost }: Overrides) => ({
  codeSecret: secrets.codes,
  session,
  totpSealer: createSealer(secrets.totp),
  siteName: readBrand().name,
  siteUrl,
  refusedEmails: mode === 'production' ? Object.values(samplePeople()).flat() : [],
  hashingCost,
});

/** What the database is entered with, and by what it is known whether the secret is its own. */
const secretOf = ({ secrets }: Config) => ({
  secret: secrets.database,
  unseal: createSealer(secrets.totp).open,
});

/** What the launch checklist looks at. */
const installationOf = ({ mode, siteUrl, hasOwnSecret, smtpUrl }: Config) => ({
  installation: {
    mode,
    siteUrl,
    hasOwnSecret,
    hasMailServer: smtpUrl !== undefined,
    sampleContent: sampleContent(),
  },
});

/** How accounts end. */
const closingOf = ({ closedKeptMs: keptMs, secrets }: Config) => ({
  keptMs,
  sealer: createSealer(secrets.proof),
  siteName: readBrand().name,
  statementLock,
});

/** What account statements say, and who signs them. */
const papersOf = ({ mode }: Config, { origin, signNote: sign }: PublicLog) => ({
  sign,
  origin,
  brand: readBrand().name,
  sample: mode === 'demo',
});

/** Ends what was begun. */
type Closer = () => Promise<void> | void;

interface Base {
  db: Db;
  clock: Clock;
  logger: Logger;
}

/** A demo that names no mail server has an inbox of its own. */
async function openMail(config: Config, base: Base, closers: Closer[]) {
  const { db, clock, logger } = base;
  const inbox = config.smtpUrl ? null : await startInbox({ dir: join(config.dataDir, 'inbox'), logger });
  if (inbox) closers.push(inbox.close);
  const transport = createTransport(config.smtpUrl ?? inbox?.smtpUrl ?? '');
  closers.push(transport.close);
  const brand = readBrand();
  const sealer = createSealer(config.secrets.mail);
  const site = { ...brand, siteUrl: config.siteUrl };
  const from = config.mailFrom ?? brand.supportEmail;
  const mail = createMail({ ...base, sealer, transport, site, from });
  const support = { name: brand.name, address: brand.supportEmail };
  const contact = createContact({ db, clock, mail, support });
  return { inbox, mail, contact, notices: createNotices({ db, clock, mail }) };
}

/** Of a demo that names no witnesses there is one that it starts itself. */
async function openLog(config: Config, base: Base, closers: Closer[]) {
  const { mode, role, dataDir, siteUrl, logKeys: keys, logWitnesses } = config;
  const witnesses = logWitnesses.map((witness) => ({ ...witness, sample: false }));
  const isAlone = mode === 'demo' && witnesses.length === 0;
  const isAsked = role !== 'web';
  const own = { dir: join(dataDir, 'witness'), logVkey: logVkey(siteUrl, keys), isAsked };
  const sample = isAlone ? await startSampleWitness(own) : null;
  if (sample) {
    closers.push(sample.close);
    witnesses.push(sample.witness);
  }
  const log = refusing('LOG_WITNESSES_FILE', () =>
    createLog({ ...base, siteUrl, keys, dir: join(dataDir, 'log'), witnesses }),
  );
  if (role !== 'all') refuseLogOfOne(await log.newestNote(), keys, log.origin);
  return log;
}

/** The database, and where requests read what of it may be a moment old. */
async function openData(
  config: Config,
  overrides: Overrides,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
  closers: Closer[],
) {
  const { close, ...database } = await openDatabase({
    ...config,
    ...secretOf(config),
    samplePeople: samplePeople(),
    durable: !overrides.durabilityUnchecked,
    signal: overrides.stopping,
    onCommit: metrics.money.onCommit,
    logger,
  });
  closers.push(close);
  const reads = await openReads({ ...config, ...database, logger, onRead: metrics.onRead });
  closers.push(reads.close);
  return { ...database, reads };
}

export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  // Before the database is brought up to date by a server that will not start.
  refuseForeignLogKey(config.dataDir, config.logKeys);
  const logger = overrides.logger ?? createLogger(config.logLevel, config.mode);
  const clock = overrides.clock ?? systemClock;
  const metrics = createMetrics({ clock, role: config.role, keptMs: config.metricsKeptMs });
  const closers: Closer[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    const watched = { logger, metrics };
    const { owner, db, reads, ...database } = await openData(config, overrides, watched, closers);
    const base = { db, clock, logger };
    const log = await openLog(config, base, closers);
    const post = await openMail(config, base, closers);
    const { notices } = post;
    const sample = config.mode === 'demo' ? readSamplePrices() : null;
    const prices = createPrices({ clock, logger, apiBase: config.priceApiBase, sample });
    const users = createUsers({
      ...base,
      mail: notices.post,
      operatorMail: post.mail,
      ...accountsOf(config, overrides),
    });
    const networks = createNetworks({
      ...base,
      prices,
      chains: openChains(config, overrides.stopping),
      bitcoinNetwork: config.bitcoinNetwork,
      sampleHeight: sample ? (network) => sampleHeight(network, clock.now()) : null,
    });
    const batching = { batchSizeMax: overrides.batchSizeMax, onBatch: metrics.money.onBatch };
    const money = createMoney({ ...base, users, prices, networks, ...batching });
    const sampleChain = sample ? createSampleChain({ ...base, prices, networks, ...money }) : null;
    const telling = createTelling({ ledger: money.ledger, users, logger, lettersAbout: lettersOf(money) });
    const { origin } = log;
    const proof = createProof({ ...base, networks, origin, sealer: createSealer(config.secrets.proof) });
    const papers = createPapers({ ...base, ...papersOf(config, log) });
    const shown = { ...base, notices, users, networks, log, ...money };
    const operator = createOperator({ ...shown, ...installationOf(config) });

    const context: Context = {
      ...base,
      config,
      metrics,
      reads,
      owner,
      log,
      sampleChain,
      embeddedDataDir: database.embeddedDataDir,
      databaseLost: database.lost,
      close,
      ...money,
      ...post,
      prices,
      networks,
      users,
      account: createAccount({ ...base, ...closingOf(config), users, notices, ...money }),
      proof,
      papers,
      signing: createSigning({ db, clock, origin, networks, funding: money.funding }),
      operator,
      telling,
    };
    addFigures(context);
    return context;
  } catch (error) {
    await close();
    throw error;
  }
}
