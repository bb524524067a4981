/** What is mutated, and by which tests it has to be noticed. */
export interface Group {
  /** Files; or, behind a `#`, functions of a file that has much else in it. */
  mutated: string[];
  /** Those that say what the rules are. No other runs: what only a journey would notice counts as unnoticed. */
  tests: string[];
  /** Its rules are partly in SQL, so its tests need PostgreSQL. */
  onDatabase?: true;
}

/**
 * Whatever decides about money, or who may do what: the pure decisions of the four modules that move money, and the
 * guards. What only carries their answers (routes, stores, letters, screens) is held by other tests.
 */
export const groups: Record<string, Group> = {
  ledger: {
    mutated: [
      'server/modules/ledger/account-rules.ts',
      'server/modules/ledger/rules.ts',
      'server/modules/ledger/verb/decisions.ts',
      'server/modules/ledger/verb/key-rules.ts',
    ],
    tests: [
      'server/modules/ledger/account-rules.test.ts',
      'server/modules/ledger/book.test.ts',
      'server/modules/ledger/rules.test.ts',
      'server/modules/ledger/verb/decisions.test.ts',
      'server/modules/ledger/verb/key-rules.test.ts',
    ],
  },
  investment: {
    mutated: [
      'server/modules/investment/rules.ts',
      'server/modules/investment/choices/rules.ts',
      'contract/money.ts',
    ],
    tests: [
      'contract/money.test.ts',
      'server/modules/investment/rules.test.ts',
      'server/modules/investment/choices/rules.test.ts',
    ],
  },
  withdrawal: {
    mutated: [
      'server/modules/withdrawal/rules.ts',
      'server/modules/withdrawal/addresses/rules.ts',
      'server/modules/account/rules.ts#hindrances',
      'server/modules/account/rules.ts#closingRefusal',
      'server/modules/withdrawal/sheets/rules.ts',
      'server/platform/address.ts',
    ],
    tests: [
      'server/modules/withdrawal/sheets/rules.test.ts',
      'server/modules/withdrawal/addresses/rules.test.ts',
      'server/modules/account/rules.test.ts',
      'server/modules/withdrawal/rules.test.ts',
      'server/platform/address-forms.test.ts',
      'server/platform/address.test.ts',
    ],
  },
  payouts: {
    mutated: [
      'server/modules/withdrawal/outgoing.ts',
      'server/modules/withdrawal/paying.ts',
      'server/modules/withdrawal/stepping.ts',
    ],
    tests: [
      'server/modules/withdrawal/paying.test.ts',
      'server/modules/withdrawal/outgoing.test.ts',
      'server/modules/withdrawal/stepping.test.ts',
    ],
  },
  funding: {
    mutated: ['server/modules/funding/rules.ts', 'server/modules/funding/naming.ts', 'contract/chain.ts'],
    tests: [
      'server/modules/funding/naming.test.ts',
      'server/modules/funding/rules.test.ts',
      'contract/chain.test.ts',
    ],
  },
  guards: {
    mutated: [
      'contract/bounds.ts#whyTwo',
      'contract/bounds.ts#whyPlanNeedsTwo',
      'server/platform/http/client-address.ts',
      'server/platform/http/identity.ts',
      'server/platform/http/origin.ts',
      'server/modules/users/rules.ts',
      'server/modules/users/routes.ts#investorGuard',
      'server/modules/users/routes.ts#investorIfAny',
      'server/modules/users/factors/authenticator.ts',
      'server/modules/users/factors/rules.ts',
      'server/modules/users/removals/rules.ts',
      'server/modules/operator/session/routes.ts#operatorGuard',
    ],
    tests: [
      'server/platform/http/client-address.test.ts',
      'contract/bounds.test.ts',
      'server/platform/http/own-address.test.ts',
      'server/platform/http/identity.test.ts',
      'server/platform/http/set-cookie.test.ts',
      'server/platform/http/origin.test.ts',
      'server/modules/users/guards.test.ts',
      'server/modules/users/chosen-passwords.test.ts',
      'server/modules/users/rules.test.ts',
      'server/modules/operator/session/guard.test.ts',
      'server/modules/users/factors/authenticator.test.ts',
      'server/modules/users/factors/rules.test.ts',
      'server/modules/users/removals/rules.test.ts',
    ],
  },
  'counted-guards': {
    mutated: [
      'server/platform/http/throttle.ts',
      'server/platform/second-operator.ts',
      'server/modules/users/tries.ts',
    ],
    tests: [
      'server/platform/http/throttle.test.ts',
      'server/platform/second-operator.test.ts',
      'server/modules/users/tries.test.ts',
    ],
    onDatabase: true,
  },
  sessions: {
    mutated: [
      'server/modules/users/sessions/sessions.ts#authenticate',
      'server/modules/users/operators/sessions.ts#authenticateOperator',
    ],
    tests: [
      'server/modules/users/sessions.test.ts',
      'server/modules/users/together.test.ts',
      'server/modules/operator/session/sessions.test.ts',
    ],
    onDatabase: true,
  },
};
