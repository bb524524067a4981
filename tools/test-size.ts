/**
 * What `npm test` leaves to `npm run test:full`, which runs everything before it lands. A test that is added is in both, a
 * journey only there: what everybody runs all day stays short, however much is added.
 */

/** `TESTS=everyday` is how `npm test` and `npm run check` say to the runners that what is long is left out. */
export const isEveryday = process.env.TESTS === 'everyday';

/** Whole servers, databases and commands are started, lost, killed, upgraded and restored here, or a storm takes its length to be one. */
export const longTests = [
  'drills/crash/crash.test.ts',
  'drills/failover/failover.test.ts',
  'drills/fuzz/fuzz.test.ts',
  'server/commands/backup.test.ts',
  'server/commands/ledger-check.test.ts',
  'server/commands/operator.test.ts',
  'server/commands/prove.test.ts',
  'server/demo/seed.test.ts',
  'server/modules/funding/balance-scale.test.ts',
  'server/modules/funding/chain-kills.test.ts',
  'server/modules/ledger/storm.test.ts',
  'server/modules/ledger/two-databases.test.ts',
  'server/modules/log/kills.test.ts',
  'server/modules/networks/troubles.test.ts',
  'server/platform/embedded-postgres/embedded-postgres.test.ts',
  'server/platform/postgres/pool/pgbouncer.test.ts',
  'server/platform/postgres/pool/pool.test.ts',
  'server/platform/postgres/readiness.test.ts',
  'server/platform/postgres/replica/reads.test.ts',
  'server/platform/work/jobs.test.ts',
  'server/platform/work/roll-call.test.ts',
  'server/process.test.ts',
  'server/roles.test.ts',
  'server/rolling.test.ts',
  'tools/fifth-coin.test.ts',
];

/** What a size passes over: what it cannot change is looked at once. */
export const passedOver = {
  phone:
    /(api-docs|books|chain|console|early|errors|export|guard|keyboard|login|names|new-build|noscript|prices|proof|reset-links|tablets|weight)\.spec\.ts$/,
  // What fits a phone has room here: these forms and texts are the same ones with air around them, and who waits or may do what
  // does not hang on the width. The contacts are the phone's.
  desktop:
    /(operator\/(alone|forms|payouts)|investor\/\w+\/(identity|modals|papers|sample|slow)|code-boxes|phone-contacts|\/reset|signup|site\/(about-blog|contact))\.spec\.ts$/,
};

/** What people do every day, each at the size at which most do it. */
export const everydayJourneys = {
  phone: [
    'investor/frame/screens',
    'investor/money/money',
    'public/auth/reset',
    'public/auth/signup',
    'public/every-page/pages',
  ],
  desktop: ['operator/console', 'operator/screens', 'public/auth/login', 'public/every-page/weight'],
};
